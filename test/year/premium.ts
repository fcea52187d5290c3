// What a term costs and how much is returned, by hand: contract 3.2, domain facts 3.2, 3.6. Independent of the code.

/** A day, counted from the start of the story. */
export type Day = number;

/** What a term charges, in cents. */
export interface Parts {
  premium: number;
  tax: number;
  stamping: number;
  fee: number;
}

const POLICY_FEE = 19_500;
const NOTHING: Parts = { premium: 0, tax: 0, stamping: 0, fee: 0 };

/** Ten-thousandths of premium and, where taxable, of the fee. Domain facts 3.6. */
const RATES: Record<string, { tax: number; stamping: number; isFeeTaxed: boolean }> = {
  TX: { tax: 485, stamping: 4, isFeeTaxed: true },
  CA: { tax: 300, stamping: 18, isFeeTaxed: true },
  NY: { tax: 360, stamping: 15, isFeeTaxed: true },
  FL: { tax: 494, stamping: 6, isFeeTaxed: true },
  IL: { tax: 350, stamping: 4, isFeeTaxed: false },
};

const SHORT_RATE_KEPT = 0.1;
const LEAST_EARNED = 0.25;

/** The fee is earned regardless of any return, except for a flat cancellation. */
export function partsOf(state: string, premium: number): Parts {
  const rates = RATES[state];
  if (rates === undefined) throw new Error(`There are no rates for ${state}`);
  if (premium === 0) return NOTHING;
  const base = premium + (rates.isFeeTaxed ? POLICY_FEE : 0);
  const charge = (rate: number) => Math.round((base * rate) / 10_000);
  return { premium, tax: charge(rates.tax), stamping: charge(rates.stamping), fee: POLICY_FEE };
}

export const totalOf = ({ premium, tax, stamping, fee }: Parts) => premium + tax + stamping + fee;

/** How much one exceeds another by. */
export const lessOf = (one: Parts, other: Parts): Parts => ({
  premium: one.premium - other.premium,
  tax: one.tax - other.tax,
  stamping: one.stamping - other.stamping,
  fee: one.fee - other.fee,
});

/** Days of a term; the expiration day is not part of it. */
export interface Days {
  effective: Day;
  expiration: Day;
}

/** Premium for a term's remaining days, to the cent. */
export function forDaysLeft(cents: number, { effective, expiration }: Days, day: Day): number {
  return Math.round((cents * (expiration - Math.max(day, effective))) / (expiration - effective));
}

/** The insured cancels: a tenth of the return premium is kept, and at least a quarter of the premium is earned. */
export function keptAtShortRate(cents: number, days: Days, day: Day): number {
  const returned = Math.round(forDaysLeft(cents, days, day) * (1 - SHORT_RATE_KEPT));
  return cents - Math.min(returned, cents - Math.round(cents * LEAST_EARNED));
}

/** A term's installment bills: taxes and fee on the first, plus any remainder. Domain facts 3.4. */
export function billsOf(whole: Parts, count: number): Parts[] {
  const each = Math.floor(whole.premium / count);
  const first = { ...whole, premium: whole.premium - (count - 1) * each };
  return [first, ...Array.from({ length: count - 1 }, () => ({ ...NOTHING, premium: each }))];
}
