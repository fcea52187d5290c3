// A refund of known composition, taken from the parties that its money went to.
import test from 'ava';
import { composedReturn } from '../../../domain/billing/ledger/composed-return.ts';
import { splitTotal } from '../../../domain/billing/ledger/invoice-split.ts';
import { NO_SPLIT, NOTHING_RETURNED } from '../../../domain/billing/ledger/returned-part.ts';
import { fc } from '../../support/fixed/chance.ts';

/**
 * Premium 10,000.00, of which 12.5 percent is the agent's and 10 percent ours; tax, stamping, fee. Domain facts 4.2.
 */
const SAMPLE = {
  ...{ carrierCents: 775_000, agentCents: 125_000, mgaCents: 100_000 },
  ...{ taxCents: 49_713, stampingCents: 410, feeCents: 25_000 },
};
const HALF = { premiumCents: 600_000, taxCents: 29_100, stampingCents: 240, feeCents: 0 };

test('6,000.00 of premium comes from those who share it, the taxes from the state, and the fee stays', (t) => {
  t.deepEqual(composedReturn(SAMPLE, NOTHING_RETURNED, { composition: HALF, cents: 629_340 }), {
    ...{ carrierCents: 465_000, agentCents: 75_000, mgaCents: 60_000 },
    ...{ taxCents: 29_100, stampingCents: 240, feeCents: 0 },
  });
});

test('the others make up the part that one no longer has', (t) => {
  const returned = { ...NO_SPLIT, taxCents: 49_713 };
  const part = composedReturn(SAMPLE, { returned, composed: NO_SPLIT }, { composition: HALF, cents: 629_340 });
  t.is(part.taxCents, 0);
  t.is(splitTotal(part), 629_340);
});

test('a refund that became smaller is made of the same in proportion', (t) => {
  const part = composedReturn(SAMPLE, NOTHING_RETURNED, { composition: HALF, cents: 314_670 });
  t.deepEqual([part.taxCents, part.stampingCents, part.feeCents, splitTotal(part)], [14_550, 120, 0, 314_670]);
});

test('the parts sum to the refund, and nobody returns more than they have', (t) => {
  const cents = fc.nat({ max: 1_000_000 });
  const anySix = fc.tuple(cents, cents, cents, cents, cents, cents);
  const anyFour = fc.tuple(cents, cents, cents, cents);
  const names = Object.keys(NO_SPLIT) as (keyof typeof NO_SPLIT)[];
  const splitOf = (amounts: readonly number[]) =>
    Object.fromEntries(names.map((name, i) => [name, amounts[i] ?? 0])) as unknown as typeof NO_SPLIT;
  const property = fc.property(anySix, anySix, anyFour, fc.nat(), (whole, gone, made, drawn) => {
    const split = splitOf(whole);
    const returned = splitOf(whole.map((each, i) => Math.min(each, gone[i] ?? 0)));
    const composed = splitOf(names.map((name) => Math.floor((returned[name] * (drawn % 4)) / 3)));
    const leftCents = splitTotal(split) - splitTotal(returned);
    const [premiumCents, taxCents, stampingCents, feeCents] = made;
    const composition = { premiumCents, taxCents, stampingCents, feeCents };
    const mostCents = Math.min(
      leftCents,
      made.reduce((sum, each) => sum + each, 0),
    );
    const refundCents = drawn % (mostCents + 1);
    const part = composedReturn(split, { returned, composed }, { composition, cents: refundCents });
    const isBounded = names.every((name) => part[name] >= 0 && part[name] <= split[name] - returned[name]);
    return isBounded && splitTotal(part) === refundCents;
  });
  t.notThrows(() => fc.assert(property));
});
