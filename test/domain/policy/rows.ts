// Stack rows for tests: a year from January 1, 2025, Texas, fee 250.00.
import type { StackedTransaction } from '../../../domain/policy/stack.ts';
import type { TaxBasis } from '../../../domain/policy/tax-change.ts';
import type { PolicyMoney, PolicyTerms, PricedTerms } from '../../../domain/policy/transaction.ts';
import type { FeeCharge } from '../../../domain/submission/quote.ts';

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

/** A row of one type. */
export type RowOf<Type extends StackedTransaction['type']> = Extract<StackedTransaction, { type: Type }>;

/** What a test specifies for a row; of terms, cost and changes, only what the test is about. */
export type Given<Type extends StackedTransaction['type']> = Partial<Omit<RowOf<Type>, 'changes' | 'after'>> & {
  type: Type;
  changes?: Partial<RowOf<Type>['changes']>;
  after?: Partial<PricedTerms>;
};

const NO_COST: PolicyMoney = { grossPremiumCents: 0, fees: [], taxes: [], totalDueCents: 0 };

/** A row that moves no money; `given` sets the rest. */
export function row<Type extends StackedTransaction['type']>(given: Given<Type> & { sequence: number }): RowOf<Type> {
  const whole = {
    id: `ptx_${given.sequence}`,
    effectiveDate: TERM.effectiveDate,
    issuedOn: given.effectiveDate ?? TERM.effectiveDate,
    premiumChangeCents: 0,
    feeChangeCents: 0,
    taxChangeCents: 0,
    changes: {},
    before: NO_COST,
    reapplied: [],
    ...given,
    after: { ...NO_COST, ...given.after },
  };
  return whole as unknown as RowOf<Type>;
}

/** The first row of a policy. */
export function newBusiness(premiumChangeCents: number, terms: Partial<PolicyTerms> = {}): RowOf<'new_business'> {
  const fees: FeeCharge[] = [{ code: 'POLICY_FEE', amountCents: 25_000 }];
  return row({
    type: 'new_business',
    sequence: 1,
    premiumChangeCents,
    feeChangeCents: 25_000,
    before: null,
    after: { ...terms, fees },
  });
}
