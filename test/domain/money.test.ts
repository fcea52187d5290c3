// Cents, exact fractions and splits.
import test from 'ava';
import { DomainError } from '../../domain/errors.ts';
import { fromDollars, percentOf, splitEvenly, sumCents, toDollars } from '../../domain/money.ts';
import {
  addRatios,
  compareRatios,
  multiplyRatios,
  ratio,
  ratioToNumber,
  roundHalfUp,
  subtractRatios,
} from '../../domain/ratio.ts';
import { fc } from '../support/fixed/chance.ts';

const cents = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 });

test('Dollars with at most two decimals become cents exactly', (t) => {
  for (const [dollars, expected] of [
    [0, 0],
    [0.01, 1],
    [0.29, 29],
    [1.15, 115],
    [4389.64, 438_964],
    [1_000_000, 100_000_000],
    [8_765_432_109.87, 876_543_210_987],
    [-12.3, -1230],
    [-0, 0],
  ] as const) {
    t.is(fromDollars(dollars), expected);
  }
});

test('An amount in dollars is refused by field and rule: more than two decimals, no number, too large', (t) => {
  for (const [value, rule] of [
    [1.005, 'format'],
    [0.001, 'format'],
    [1e-7, 'format'],
    [Number.NaN, 'type'],
    [Number.POSITIVE_INFINITY, 'type'],
    ['12' as unknown as number, 'type'],
    [1e21, 'max'],
    [90_071_992_547_409.92, 'max'],
  ] as const) {
    const error = t.throws(() => fromDollars(value, 'annualRevenue'), { instanceOf: DomainError });
    t.is(error?.code, 'validation_failed');
    t.like(error?.details, { field: 'annualRevenue', rule });
  }
});

test('Cents go to dollars and back unchanged', (t) => {
  fc.assert(fc.property(cents, (amount) => fromDollars(toDollars(amount)) === amount));
  t.is(toDollars(438_964), 4389.64);
});

test('A decimal text, a number and a fraction of integers mean the same exact ratio', (t) => {
  t.deepEqual(ratio('0.0485'), { n: 97n, d: 2000n });
  t.deepEqual(ratio(0.0485), { n: 97n, d: 2000n });
  t.deepEqual(ratio(485n, 10_000n), { n: 97n, d: 2000n });
  t.deepEqual(ratio('-1.50'), { n: -3n, d: 2n });
  t.deepEqual(ratio(3n, -6n), { n: -1n, d: 2n });
});

test('A text that is no plain decimal and a division by zero are refused', (t) => {
  for (const text of ['', '1e5', '.5', '1.', '0x10', '1,5', ' 1'])
    t.throws(() => ratio(text), { instanceOf: RangeError });
  t.throws(() => ratio('1', 0n), { instanceOf: RangeError });
});

test('Fractions add, subtract, multiply and compare exactly', (t) => {
  t.deepEqual(addRatios(ratio('0.1'), ratio('0.2')), ratio('0.3'));
  t.deepEqual(subtractRatios(ratio('0.3'), ratio('0.1')), ratio('0.2'));
  t.deepEqual(multiplyRatios(ratio(1n, 3n), ratio('3')), ratio(1n));
  t.is(compareRatios(ratio('0.85'), ratio(17n, 20n)), 0);
  t.true(compareRatios(ratio(1n, 3n), ratio('0.333')) > 0);
  t.true(compareRatios(ratio('-1'), ratio('0')) < 0);
  t.is(ratioToNumber(ratio(2n, 3n), 4), 0.6667);
  t.is(ratioToNumber(ratio('0.0485'), 6), 0.0485);
});

test('A half is rounded away from zero, so that a return mirrors its charge', (t) => {
  t.is(roundHalfUp(ratio('0.5')), 1);
  t.is(roundHalfUp(ratio('1.5')), 2);
  t.is(roundHalfUp(ratio('2.4999')), 2);
  t.is(roundHalfUp(ratio('-0.5')), -1);
  t.is(roundHalfUp(ratio('-0.4')), 0);
  t.is(roundHalfUp(ratio('-2.5')), -3);
  t.throws(() => roundHalfUp(ratio('9007199254740993')), { instanceOf: RangeError });
});

test('A rate of an amount is rounded half up to the cent', (t) => {
  t.is(percentOf(504_800, ratio('0.0494')), 24_937);
  t.is(percentOf(504_800, ratio('0.0006')), 303);
  t.is(percentOf(1_025_000, ratio('0.0485')), 49_713);
  t.is(percentOf(1_025_000, ratio('0.0004')), 410);
  t.is(percentOf(418_500, ratio('0.0485')), 20_297);
  t.is(percentOf(418_500, ratio('0.0004')), 167);
});

test('An amount splits into parts that sum to it, the remainder on the first', (t) => {
  t.deepEqual(splitEvenly(1_200_005, 10), [120_005, ...Array(9).fill(120_000)]);
  t.deepEqual(splitEvenly(100, 3), [34, 33, 33]);
  t.deepEqual(splitEvenly(-100, 3), [-34, -33, -33]);
  t.deepEqual(splitEvenly(2, 3), [2, 0, 0]);
  t.deepEqual(splitEvenly(-2, 3), [-2, 0, 0]);
  t.throws(() => splitEvenly(100, 0), { instanceOf: RangeError });
});

test('The parts of any split are whole cents, sum to it, and differ on the first only', (t) => {
  fc.assert(
    fc.property(cents, fc.integer({ min: 1, max: 48 }), (amount, count) => {
      const parts = splitEvenly(amount, count);
      const [, ...rest] = parts;
      return (
        parts.length === count &&
        parts.every((part) => Number.isSafeInteger(part) && !Object.is(part, -0)) &&
        sumCents(parts) === amount &&
        new Set(rest).size <= 1 &&
        Math.abs((parts[0] ?? 0) - (rest[0] ?? parts[0] ?? 0)) < count
      );
    }),
  );
  t.pass();
});

test('Every rate of every amount is a whole number of cents, and the opposite amount gives the opposite', (t) => {
  fc.assert(
    fc.property(cents, fc.integer({ min: 0, max: 1_000_000 }), (amount, millionths) => {
      const rate = ratio(BigInt(millionths), 1_000_000n);
      const part = percentOf(amount, rate);
      return Number.isSafeInteger(part) && percentOf(-amount, rate) + part === 0;
    }),
  );
  t.pass();
});

test('A sum beyond exact integers is refused instead of being wrong', (t) => {
  t.is(sumCents([]), 0);
  t.is(sumCents([399_000, 19_500, 20_297, 167]), 438_964);
  t.throws(() => sumCents([Number.MAX_SAFE_INTEGER, 1]), { instanceOf: RangeError });
});
