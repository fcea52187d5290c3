// What a change of premium does to the taxes of a policy: each tax for itself is brought to what the rates that the policy keeps take
// of all premium and fees, so that many changes never drift from one. Contract 3.2 "Tax".
import { type Cents, sumCents } from '../money.ts';
import { type SurplusLinesRate, surplusLinesTaxes, type TaxCharge } from '../taxes.ts';

/** What a policy is taxed by, from its first day to its last. */
export interface TaxBasis {
  lineOfBusiness: string;
  /** The state's rates of the effective date, kept with the policy. */
  rates: SurplusLinesRate;
}

/** The taxes after a change, what each moved by, and their sum. */
export interface TaxChange {
  taxes: TaxCharge[];
  changes: TaxCharge[];
  taxChangeCents: Cents;
}

/**
 * Works out the change of each tax when premium and fees come to stand at the given amounts. A flat stamping fee, once charged, stays.
 * `flat` returns all: of a policy that never was there is nothing to tax. Contract 3.2.
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

/** Gives the taxes on a premium and fees at the rates of a policy. Contract 3.1, 3.2. */
export function taxesOwed(basis: TaxBasis, { premiumCents, feeCents }: { premiumCents: Cents; feeCents: Cents }) {
  return surplusLinesTaxes({ premiumCents, feeCents, ...basis });
}

function chargedOf(charged: readonly TaxCharge[], code: string): Cents {
  return sumCents(charged.filter((tax) => tax.code === code).map(({ amountCents }) => amountCents));
}
