// Money as whole cents in safe integers. Dollars exist only on the wire; fractions of a cent exist only in exact
// ratios. Contract 1 "Money".
import { validationError } from './errors.ts';
import { multiplyRatios, type Ratio, ratio, roundHalfUp } from './ratio.ts';

/** Whole cents; a safe integer, negative for returns and refunds. */
export type Cents = number;

const DOLLARS = /^(-?)(\d+)(?:\.(\d{1,2}))?$/;

/**
 * Converts dollars from the wire into cents, exactly.
 * @throws DomainError validation_failed on `field`: rule `type` for a value that is not a finite number, `format` for
 * more than two decimals, `max` beyond exact integers. Contract 1 "Money".
 */
export function fromDollars(dollars: number, field = 'amount'): Cents {
  if (typeof dollars !== 'number' || !Number.isFinite(dollars)) {
    throw validationError(field, 'type', `${field} must be an amount in dollars.`);
  }
  // Beyond 2^53, a number cannot represent every cent, and its text may be in exponent form.
  if (Math.abs(dollars) >= Number.MAX_SAFE_INTEGER / 100) {
    throw validationError(field, 'max', `${field} is too large.`);
  }
  const match = DOLLARS.exec(String(dollars));
  if (match === null) throw validationError(field, 'format', `${field} must have at most two decimals.`);
  const [, sign = '', whole = '', fraction = ''] = match;
  const cents = Number(`${whole}${fraction.padEnd(2, '0')}`);
  return sign === '-' && cents !== 0 ? -cents : cents;
}

/** Converts cents into wire dollars: a number with at most two decimals. */
export function toDollars(cents: Cents): number {
  return cents / 100;
}

/** Formats cents for people: `$10,751.23`. */
export function dollarText(cents: Cents): string {
  const whole = Math.trunc(Math.abs(cents) / 100).toLocaleString('en-US');
  return `${cents < 0 ? '-' : ''}$${whole}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;
}

/** Applies a rate to an amount, rounded half up (away from zero) to the cent. */
export function percentOf(cents: Cents, rate: Ratio): Cents {
  return roundHalfUp(multiplyRatios(ratio(cents), rate));
}

/**
 * Splits an amount into equal parts that sum to it; the first part takes the remainder. 12,000.05 in ten parts is
 * 1,200.05 and nine times 1,200.00. Negative amounts mirror positive ones. Contract 3.1.
 * @throws RangeError unless there is at least one part.
 */
export function splitEvenly(cents: Cents, parts: number): Cents[] {
  if (!Number.isSafeInteger(parts) || parts < 1) throw new RangeError('An amount is split into at least one part.');
  const share = Math.trunc(cents / parts);
  // A share of a negative fraction of a cent truncates to -0, which is not an amount of money.
  const even = share === 0 ? 0 : share;
  return Array.from({ length: parts }, (_, index) => (index === 0 ? cents - even * (parts - 1) : even));
}

/** Adds amounts; an empty list is 0. @throws RangeError beyond exact integers. */
export function sumCents(amounts: Iterable<Cents>): Cents {
  let sum = 0;
  for (const amount of amounts) sum += amount;
  if (!Number.isSafeInteger(sum)) throw new RangeError('The sum is beyond the range of exact integers.');
  return sum;
}
