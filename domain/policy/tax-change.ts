// What a premium change does to a policy's taxes: each tax is recomputed at the policy's own rates on all premium and
// fees, so that many changes cost the same as a single one. Contract 3.2 "Tax".
import { type Cents, sumCents } from '../money.ts';
import { type SurplusLinesRate, surplusLinesTaxes, type TaxCharge } from '../submission/taxes.ts';

/** A policy's tax basis, for its whole life. */
export interface TaxBasis {
  lineOfBusiness: string;
  /** The state's rates on the effective date, stored with the policy. */
  rates: SurplusLinesRate;
}

/** The taxes after a change, the change in each, and their sum. */
export interface TaxChange {
  taxes: TaxCharge[];
  changes: TaxCharge[];
  taxChangeCents: Cents;
}

/**
 * Computes the change in each tax when premium and fees reach the given amounts. A flat stamping fee, once charged,
 * stays. `flat` returns everything: a policy void from inception owes no tax. Contract 3.2.
 */
export function taxChange(
  basis: TaxBasis,
  change: { charged: readonly TaxCharge[]; writtenPremiumCents: Cents; keptFeeCents: Cents; flat?: boolean },
): TaxChange {
  const { charged, flat = false } = change;
  const owed = taxesOwed(basis, { premiumCents: change.writtenPremiumCents, feeCents: change.keptFeeCents });
  const taxes = flat ? owed.map((tax) => ({ ...tax, amountCents: 0 })) : owed;
  const changes = taxes
    .map((tax) => ({ ...tax, amountCents: tax.amountCents - chargedOf(charged, tax.code) }))
    .filter(({ amountCents }) => amountCents !== 0);
  return { taxes, changes, taxChangeCents: sumCents(changes.map(({ amountCents }) => amountCents)) };
}

/** Returns the taxes on a premium and fees at a policy's rates. Contract 3.1, 3.2. */
export function taxesOwed(basis: TaxBasis, { premiumCents, feeCents }: { premiumCents: Cents; feeCents: Cents }) {
  return surplusLinesTaxes({ premiumCents, feeCents, ...basis });
}

function chargedOf(charged: readonly TaxCharge[], code: string): Cents {
  return sumCents(charged.filter((tax) => tax.code === code).map(({ amountCents }) => amountCents));
}
