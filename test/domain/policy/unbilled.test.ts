// What a policy owes but no invoice bills: figures by hand, and random lives of void, reissue, endorse, cancel,
// reinstate and refund.
import test from 'ava';
import { NO_PARTS, type Parts, totalOfParts } from '../../../domain/policy/parts.ts';
import { reissuedParts, unbilledParts } from '../../../domain/policy/unbilled.ts';
import { fc } from '../../support/fixed/chance.ts';
import { accountedFor, BilledPolicy, type Cost, excessCents, unbilledCents } from './billed-policy.ts';

const parts = (premiumCents: number, taxCents = 0, stampingCents = 0, feeCents = 0): Parts => ({
  ...{ premiumCents, taxCents, stampingCents, feeCents },
});

/** MONTHLY_10 for 3,990.00: fee 195.00 and taxes 204.64 are on the first bill. */
const FIRST = parts(39_900, 20_297, 167, 19_500);
const NEXT = parts(39_900);
const monthly = () => new BilledPolicy(FIRST, Array<Cost>(9).fill(NEXT));

test('A void invoice not issued again is unbilled with its fee and taxes, and bills the same again', (t) => {
  const policy = monthly();
  t.is(unbilledCents(policy), 0);
  t.true(policy.makeVoid(0));
  t.deepEqual(policy.unbilled, FIRST);
  t.is(unbilledCents(policy), 79_864);
  t.deepEqual(policy.reissue(0, null), FIRST);
  t.is(unbilledCents(policy), 0);
});

test('A void invoice bills nothing again after a flat cancellation', (t) => {
  const policy = monthly();
  policy.pay(0, 100);
  policy.makeVoid(1);
  policy.cancel(100, true);
  t.is(unbilledCents(policy), 0);
  t.is(policy.reissue(1, null), null);
  // 798.64 was paid and is returned; the voided bill was never paid.
  t.is(totalOfParts(policy.returned), 79_864);
  policy.reinstate();
  t.deepEqual(policy.unbilled, NEXT);
  t.deepEqual(policy.reissue(1, null), NEXT);
});

test('A return takes unbilled premium first; the rest of it can be billed by its amount, and no more', (t) => {
  const policy = new BilledPolicy(parts(50_000), [parts(50_000)]);
  policy.pay(0, 100);
  policy.makeVoid(1);
  policy.endorse(parts(-10_000));
  t.is(totalOfParts(policy.returned), 0);
  t.is(unbilledCents(policy), 40_000);
  const beyond = t.throws(() => reissuedParts(parts(50_000), policy.unbilled), { message: /unbilled part/ });
  t.like(beyond, { code: 'amount_exceeds_balance', details: { amount: 500, unbilled: 400 } });
  t.is(policy.reissue(1, 40_001), null);
  t.deepEqual(policy.reissue(1, 40_000), parts(40_000));
  t.is(unbilledCents(policy), 0);
});

test('A refund for a change counts by its parts, and a smaller one in proportion', (t) => {
  const written = parts(60_000, 3_000);
  const billed = parts(100_000, 5_000);
  const composition = parts(40_000, 2_000);
  t.deepEqual(unbilledParts(written, { billed, returns: [{ cents: 42_000, composition }] }), NO_PARTS);
  const half = [{ cents: 21_000, composition }];
  // 1,000.00 − 200.00 premium and 50.00 − 10.00 tax still count as 600.00 and 30.00.
  t.deepEqual(unbilledParts(written, { billed, returns: half }), NO_PARTS);
  t.deepEqual(unbilledParts(parts(90_000, 4_500), { billed, returns: half }), parts(10_000, 500));
});

test('A reissue bills parts that are unbilled, whatever parts the void invoice had', (t) => {
  t.deepEqual(reissuedParts(parts(300, 5, 0, 195), parts(500)), parts(500));
  t.deepEqual(reissuedParts(parts(300, 5, 0, 195), parts(400, 5, 0, 195)), parts(300, 5, 0, 195));
  t.deepEqual(reissuedParts(parts(300, 5, 0, 195), parts(100, 5, 0, 195), 200), parts(0, 5, 0, 195));
});

const isSame = (one: Parts, other: Parts) => excessCents(one, other) + excessCents(other, one) === 0;

type Step = (policy: BilledPolicy) => void;

const number = fc.nat(11);
const percent = fc.constantFrom(0, 30, 50, 100);
const cost = fc
  .tuple(fc.integer({ min: 0, max: 90_000 }), fc.boolean())
  .map(([cents, isMore]): Cost => (isMore ? parts(cents, Math.round(cents * 0.0485), cents % 7) : parts(-cents)));
const step = fc.oneof(
  fc.tuple(number, percent).map(
    ([n, p]): Step =>
      (policy) =>
        policy.pay(n, p),
  ),
  number.map(
    (n): Step =>
      (policy) =>
        void policy.makeVoid(n),
  ),
  fc.tuple(number, fc.option(fc.nat(50_000))).map(
    ([n, cents]): Step =>
      (policy) =>
        void policy.reissue(n, cents),
  ),
  cost.map(
    (each): Step =>
      (policy) =>
        policy.endorse(fitted(each, policy.written)),
  ),
  fc.constantFrom(...[100, 75, 30]).map(
    (p): Step =>
      (policy) =>
        policy.cancel(p, true),
  ),
  fc.constant<Step>((policy) => policy.reinstate()),
);
const beside = fc.oneof(
  fc.tuple(number, percent).map(
    ([n, p]): Step =>
      (policy) =>
        policy.refund(n, p),
  ),
  fc.constant<Step>((policy) => policy.cancel(75, false)),
);

/** A policy never costs less than nothing. */
function fitted(change: Cost, written: Parts): Cost {
  return { ...change, premiumCents: Math.max(change.premiumCents, -written.premiumCents) };
}

test('The bills less refunds and the unbilled amount are the cost of the policy, by part, in 2,000 random lives', (t) => {
  const lives = fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
    const policy = monthly();
    for (const each of steps) {
      each(policy);
      if (!isSame(accountedFor(policy), policy.written) || excessCents(NO_PARTS, policy.unbilled) > 0) return false;
    }
    return true;
  });
  fc.assert(lives, { numRuns: 2_000, seed: 7 });
  t.pass();
});

test('Refunds beside the policy, and refunds that fail, leave at most themselves beyond what the policy costs', (t) => {
  const lives = fc.property(fc.array(fc.oneof(step, beside), { minLength: 5, maxLength: 40 }), (steps) => {
    const policy = monthly();
    for (const each of steps) {
      each(policy);
      const accounted = accountedFor(policy);
      if (excessCents(policy.written, accounted) > 0 || excessCents(NO_PARTS, policy.unbilled) > 0) return false;
      if (excessCents(accounted, policy.written) > policy.besideCents) return false;
    }
    return true;
  });
  fc.assert(lives, { numRuns: 1_000, seed: 11 });
  t.pass();
});

test('The parts of a reissue are unbilled ones, and sum to what it bills', (t) => {
  const any = fc.tuple(fc.nat(900), fc.nat(50), fc.nat(9), fc.nat(195)).map(([p, x, s, f]) => parts(p, x, s, f));
  const reissues = fc.property(any, any, (voided, unbilled) => {
    const totalCents = Math.min(totalOfParts(voided), totalOfParts(unbilled));
    fc.pre(totalCents > 0);
    const again = reissuedParts(voided, unbilled, totalCents);
    return totalOfParts(again) === totalCents && excessCents(again, unbilled) + excessCents(NO_PARTS, again) === 0;
  });
  fc.assert(reissues, { numRuns: 1_000, seed: 13 });
  t.pass();
});
