// The invoice lines of a policy change, and the change itself by code. Contract 3.4.
import { type Cents, sumCents } from '../money.ts';

/** Describes the lines of a bill that move money between its parts and sum to zero. */
export const RECLASSIFIED = 'Reclassified';

/** A line of an invoice; credits are negative. A stored line has this shape. */
export interface ChangeLine {
  kind: 'premium' | 'fee' | 'tax' | 'credit';
  code: string;
  description: string;
  amountCents: Cents;
}

/** The composition of a change; all amounts have one sign, apart from cents of rounding. */
export interface ChangeAmounts {
  premiumCents: Cents;
  fees: readonly { code: string; amountCents: Cents }[];
  taxes: readonly { code: string; amountCents: Cents }[];
}

/** The descriptions of fees and taxes that are charged. */
export const CHARGE_NAMES: Readonly<Record<string, string>> = {
  POLICY_FEE: 'Policy fee',
  SL_TAX: 'Surplus lines tax',
  STAMPING_FEE: 'Stamping fee',
};

/** Sums a change: how much more, or less, the policy costs. */
export function totalOf({ premiumCents, fees, taxes }: ChangeAmounts): Cents {
  return sumCents([premiumCents, ...fees.map((fee) => fee.amountCents), ...taxes.map((tax) => tax.amountCents)]);
}

/** Sums lines. */
export function sumOfLines(lines: readonly Pick<ChangeLine, 'amountCents'>[]): Cents {
  return sumCents(lines.map(({ amountCents }) => amountCents));
}

/** Makes a premium line; none for zero. */
export function premiumLines(amountCents: Cents, description: string): ChangeLine[] {
  return amountCents === 0 ? [] : [{ kind: 'premium', code: 'PREMIUM', description, amountCents }];
}

/** Makes the nonzero fee and tax lines. */
export function chargeLines({ fees, taxes }: Pick<ChangeAmounts, 'fees' | 'taxes'>): ChangeLine[] {
  const named = (kind: 'fee' | 'tax', charges: ChangeAmounts['fees']) =>
    charges.map(({ code, amountCents }) => ({ kind, code, description: CHARGE_NAMES[code] ?? code, amountCents }));
  return [...named('fee', fees), ...named('tax', taxes)].filter(({ amountCents }) => amountCents !== 0);
}
