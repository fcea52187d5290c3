// The invoice lines that bill or credit a policy change. A credit takes premium first and never makes premium, a tax or
// a fee negative: what an invoice shares out when it is paid has no negative part. Contract 3.4.
import { type Cents, sumCents } from '../money.ts';

/** A line of an invoice; credits are negative. A stored line fits. */
export interface ChangeLine {
  kind: 'premium' | 'fee' | 'tax' | 'credit';
  code: string;
  description: string;
  amountCents: Cents;
}

/** The composition of a change; one sign throughout, except for cents of rounding. */
export interface ChangeAmounts {
  premiumCents: Cents;
  fees: readonly { code: string; amountCents: Cents }[];
  taxes: readonly { code: string; amountCents: Cents }[];
}

const CHARGE_NAMES: Readonly<Record<string, string>> = {
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

/**
 * Makes the lines that deduct an amount (positive cents) from an invoice: a `credit` of premium, then of each tax, then
 * of each fee, as far as each goes.
 * @throws RangeError when the invoice holds less
 */
export function creditLines(lines: readonly ChangeLine[], cents: Cents, description: string): ChangeLine[] {
  const credits: ChangeLine[] = [];
  let restCents = cents;
  const take = (of: Omit<ChangeLine, 'amountCents' | 'description'>, heldCents: Cents) => {
    const takenCents = Math.min(restCents, Math.max(heldCents, 0));
    if (takenCents === 0) return;
    credits.push({ ...of, description, amountCents: -takenCents });
    restCents -= takenCents;
  };
  const isPremium = ({ kind }: ChangeLine) => kind === 'premium' || kind === 'credit';
  take({ kind: 'credit', code: 'RETURN_PREMIUM' }, sumOfLines(lines.filter(isPremium)));
  for (const kind of ['tax', 'fee'] as const) {
    const ofKind = lines.filter((line) => line.kind === kind);
    for (const code of new Set(ofKind.map((line) => line.code))) {
      take({ kind, code }, sumOfLines(ofKind.filter((line) => line.code === code)));
    }
  }
  if (restCents > 0) throw new RangeError('An invoice holds less than is to be taken off it');
  return credits;
}
