// Exact fractions of bigint. Rates, factors and their products live here and are rounded once, at the cent.
// A ratio never crosses a payload boundary: bigint is not JSON. Contract 3.1 (rating).

/** A reduced fraction n/d with d > 0. */
export interface Ratio {
  readonly n: bigint;
  readonly d: bigint;
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * Makes an exact fraction. A text is a plain decimal (`'0.0485'`); a number is read in its shortest decimal form, so
 * 0.0485 means 485/10000, not the nearest binary fraction; `divisor` divides the value.
 * @throws RangeError for text that is not a plain decimal, or a divisor of zero: rates come from checked tables.
 */
export function ratio(value: string | number | bigint, divisor: string | number | bigint = 1n): Ratio {
  const top = parse(value);
  const bottom = parse(divisor);
  return reduce(top.n * bottom.d, top.d * bottom.n);
}

/** Multiplies fractions exactly; no arguments give 1. */
export function multiplyRatios(...ratios: Ratio[]): Ratio {
  return ratios.reduce((product, each) => reduce(product.n * each.n, product.d * each.d), ONE);
}

/** Adds fractions exactly; no arguments give 0. */
export function addRatios(...ratios: Ratio[]): Ratio {
  return ratios.reduce((sum, each) => reduce(sum.n * each.d + each.n * sum.d, sum.d * each.d), ZERO);
}

/** Subtracts the second fraction from the first exactly. */
export function subtractRatios(a: Ratio, b: Ratio): Ratio {
  return reduce(a.n * b.d - b.n * a.d, a.d * b.d);
}

/** Compares two fractions exactly: negative, zero or positive, as `Array.sort` expects. */
export function compareRatios(a: Ratio, b: Ratio): number {
  const difference = a.n * b.d - b.n * a.d;
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/**
 * Rounds a fraction to the nearest whole number, halves away from zero, so that return premium rounds like the charge
 * it reverses.
 * @throws RangeError beyond the safe integers.
 */
export function roundHalfUp(value: Ratio): number {
  const negative = value.n < 0n;
  const size = negative ? -value.n : value.n;
  const rounded = Number((2n * size + value.d) / (2n * value.d));
  if (!Number.isSafeInteger(rounded)) throw new RangeError('The amount is beyond the range of exact integers.');
  return negative && rounded !== 0 ? -rounded : rounded;
}

/**
 * Returns the number nearest to a fraction rounded (half up) to a number of decimals; for display, never for
 * arithmetic.
 */
export function ratioToNumber(value: Ratio, decimals: number): number {
  const scaled = roundHalfUp(multiplyRatios(value, ratio(10n ** BigInt(decimals))));
  return Number(`${scaled}e-${decimals}`);
}

const ZERO: Ratio = { n: 0n, d: 1n };
const ONE: Ratio = { n: 1n, d: 1n };

function parse(value: string | number | bigint): Ratio {
  if (typeof value === 'bigint') return { n: value, d: 1n };
  const match = DECIMAL.exec(String(value));
  if (match === null) throw new RangeError(`"${value}" is not a plain decimal.`);
  const [, sign = '', whole = '', fraction = ''] = match;
  const size = BigInt(whole + fraction);
  return reduce(sign === '-' ? -size : size, 10n ** BigInt(fraction.length));
}

function reduce(n: bigint, d: bigint): Ratio {
  if (d === 0n) throw new RangeError('A fraction needs a divisor other than zero.');
  const divisor = greatestCommonDivisor(n < 0n ? -n : n, d < 0n ? -d : d);
  const sign = d < 0n ? -1n : 1n;
  return { n: (sign * n) / divisor, d: (sign * d) / divisor };
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
