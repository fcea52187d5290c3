// Rows of a stack for tests: a year from 1 January 2025, Texas, fee 250.00.
import type { StackedTransaction } from '../../../domain/policy/stack.ts';
import type { TaxBasis } from '../../../domain/policy/tax-change.ts';

export const TERM = { effectiveDate: '2025-01-01', expirationDate: '2026-01-01' };

export const TEXAS: TaxBasis = {
  lineOfBusiness: 'GL',
  rates: {
    state: 'TX',
    effectiveFrom: '2024-01-01',
    taxRate: '0.0485',
    stampingRate: '0.0004',
    stampingFlatCents: 0,
    fireRate: null,
    feeTaxable: true,
  },
};

/** A row that moves nothing; `given` says the rest. */
export function row(given: Partial<StackedTransaction> & Pick<StackedTransaction, 'type' | 'sequence'>) {
  return {
    id: `ptx_${given.sequence}`,
    effectiveDate: TERM.effectiveDate,
    issuedOn: given.effectiveDate ?? TERM.effectiveDate,
    premiumChangeCents: 0,
    feeChangeCents: 0,
    taxChangeCents: 0,
    changes: {},
    after: null,
    reapplied: [],
    ...given,
  } satisfies StackedTransaction;
}

/** The first row of a policy. */
export function newBusiness(premiumChangeCents: number, terms: Record<string, unknown> = {}): StackedTransaction {
  const fees = [{ code: 'POLICY_FEE', amountCents: 25_000 }];
  return row({
    type: 'new_business',
    sequence: 1,
    premiumChangeCents,
    feeChangeCents: 25_000,
    after: { ...terms, fees },
  });
}
