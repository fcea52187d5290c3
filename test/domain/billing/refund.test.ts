// The receipts and parties that a refund is taken from: worked examples, and properties of every amount.
import test from 'ava';
import { type InvoiceSplit, refundedPart, splitTotal } from '../../../domain/billing/ledger/invoice-split.ts';
import { NO_SPLIT, NOTHING_RETURNED, nextReturn } from '../../../domain/billing/ledger/returned-part.ts';
import {
  allocateRefund,
  countedSince,
  heldBy,
  requiresApproval,
  requiresReview,
  takenFrom,
} from '../../../domain/billing/refund.ts';
import { fc } from '../../support/fixed/chance.ts';

/** Domain facts 4.2: 10,751.23 in all. */
const SAMPLE: InvoiceSplit = {
  carrierCents: 775_000,
  agentCents: 125_000,
  mgaCents: 100_000,
  taxCents: 49_713,
  stampingCents: 410,
  feeCents: 25_000,
};

const PARTS = Object.keys(NO_SPLIT) as (keyof InvoiceSplit)[];

const added = (one: InvoiceSplit, other: InvoiceSplit, sign: 1 | -1 = 1) =>
  Object.fromEntries(PARTS.map((part) => [part, one[part] + sign * other[part]])) as unknown as InvoiceSplit;

test('a refund above 1,000.00 needs a review', (t) => {
  t.false(requiresReview(100_000));
  t.true(requiresReview(100_001));
});

test('an approval is needed above 1,000.00 together with unapproved refunds of the last 30 days', (t) => {
  t.false(requiresApproval(50_000, 50_000));
  t.true(requiresApproval(50_000, 50_001));
  t.true(requiresApproval(100_001, 0));
  t.is(countedSince('2026-03-31'), '2026-03-01');
});

test('a tenth of the worked example is a tenth of each share, and the fee is the residual', (t) => {
  // 107,512 of 1,075,123: carrier 77,499.78, agent 12,499.97, MGA 9,999.97, tax 4,971.29, stamping 41.00; the rest is
  // the fee.
  t.deepEqual(nextReturn(SAMPLE, NOTHING_RETURNED, 107_512), {
    carrierCents: 77_500,
    agentCents: 12_500,
    mgaCents: 10_000,
    taxCents: 4_971,
    stampingCents: 41,
    feeCents: 2_500,
  });
});

test('a refund of 1,000.00 of the worked example takes from each party its own share, to the cent', (t) => {
  // 100,000 of 1,075,123: carrier 72,084.7, agent 11,626.6, MGA 9,301.3, tax 4,623.9, stamping 38.1; the rest is the
  // fee.
  t.deepEqual(nextReturn(SAMPLE, NOTHING_RETURNED, 100_000), {
    ...{ carrierCents: 72_085, agentCents: 11_627, mgaCents: 9_301 },
    ...{ taxCents: 4_624, stampingCents: 38, feeCents: 2_325 },
  });
});

test('a goodwill refund after a return of premium is in proportion to the remaining share of each party', (t) => {
  // Of 4,389.64, a change took 2,929.57 and no fee. Of 50.00 the carrier gives 50.00 x 927.67 / 1,460.07 = 31.77.
  const split = {
    ...{ carrierCents: 309_225, agentCents: 49_875, mgaCents: 39_900 },
    ...{ taxCents: 20_304, stampingCents: 160, feeCents: 19_500 },
  };
  const composed = {
    ...{ carrierCents: 216_458, agentCents: 34_912, mgaCents: 27_930 },
    ...{ taxCents: 13_553, stampingCents: 104, feeCents: 0 },
  };
  t.deepEqual(nextReturn(split, { returned: composed, composed }, 5_000), {
    ...{ carrierCents: 3_177, agentCents: 512, mgaCents: 410, taxCents: 231, stampingCents: 2, feeCents: 668 },
  });
});

test('a refund cannot exceed the amount that was shared out', (t) => {
  t.throws(() => nextReturn(SAMPLE, { returned: SAMPLE, composed: NO_SPLIT }, 1), { instanceOf: RangeError });
});

const split = fc
  .tuple(...PARTS.map(() => fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 20 }), fc.nat(1_000_000))))
  .map((cents) => Object.fromEntries(PARTS.map((part, i) => [part, cents[i]])) as unknown as InvoiceSplit);

/** Returns of this many thousandths of the rest, some of them undone again. */
const returns = fc.array(fc.record({ thousandths: fc.integer({ min: 1, max: 1_000 }), isUndone: fc.boolean() }), {
  maxLength: 20,
});

test('each return sums to its amount, takes from nobody more than they have, and all of them together return everything', (t) => {
  fc.assert(
    fc.property(split, returns, (shares, requests) => {
      let returned = NO_SPLIT;
      let undone: InvoiceSplit | null = null;
      const giveBack = (cents: number) => {
        const part = nextReturn(shares, { returned, composed: NO_SPLIT }, cents);
        t.is(splitTotal(part), cents);
        for (const name of PARTS) t.true(part[name] >= 0 && returned[name] + part[name] <= shares[name]);
        returned = added(returned, part);
        return part;
      };
      for (const { thousandths, isUndone } of requests) {
        const left = splitTotal(shares) - splitTotal(returned);
        const part = giveBack(Math.ceil((left * thousandths) / 1_000));
        if (undone !== null) {
          returned = added(returned, undone, -1);
          undone = null;
        }
        if (isUndone) undone = part;
      }
      giveBack(splitTotal(shares) - splitTotal(returned));
      t.deepEqual(returned, shares);
    }),
    { numRuns: 2_000 },
  );
});

test('a return of an amount follows the proportion, but for single cents', (t) => {
  fc.assert(
    fc.property(split, fc.nat(1_000), (shares, thousandths) => {
      const cents = Math.floor((splitTotal(shares) * thousandths) / 1_000);
      const [part, exact] = [nextReturn(shares, NOTHING_RETURNED, cents), refundedPart(shares, 0, cents)];
      for (const name of PARTS) t.true(Math.abs(part[name] - exact[name]) <= PARTS.length);
    }),
  );
});

const receipt = (id: string, kind: string, amountCents: number, appliedCents = amountCents) => ({
  ...{ id, kind, amountCents, appliedCents },
});
const taken = (paymentId: string, amountCents: number, appliedCents = amountCents) => ({
  ...{ amountCents: -amountCents, appliedCents: -appliedCents },
  allocations: [{ paymentId, amountCents }],
});

test('a refund is taken from cards first, the newest first, and from none more than it holds', (t) => {
  const receipts = [
    receipt('1', 'card', 100),
    receipt('2', 'manual', 50),
    receipt('3', 'card', 70),
    receipt('4', 'manual', 20),
  ];
  const returned = [taken('3', 30)];
  const shown = (cents: number) =>
    allocateRefund(receipts, returned, cents).map((part) => [part.receipt.id, part.amountCents]);
  t.deepEqual(shown(40), [['3', 40]]);
  t.deepEqual(shown(150), [
    ['3', 40],
    ['1', 100],
    ['4', 10],
  ]);
  t.deepEqual(shown(210).at(-1), ['2', 50]);
  t.throws(() => shown(211), { instanceOf: RangeError });
});

test('an overpayment of an invoice goes back before the money that it took', (t) => {
  const held = heldBy(receipt('1', 'card', 100, 70), [taken('1', 10, 0)]);
  t.deepEqual(held, { appliedCents: 70, unappliedCents: 20 });
  t.deepEqual(takenFrom(held, 15), { appliedCents: 0, unappliedCents: 15, coveredCents: 0 });
  t.deepEqual(takenFrom(held, 50), { appliedCents: 30, unappliedCents: 20, coveredCents: 0 });
});

test('money that another invoice has taken since can no longer go back', (t) => {
  const held = heldBy(receipt('1', 'card', 100, 70), [taken('1', 10, 0)], 15);
  t.deepEqual(held, { appliedCents: 70, unappliedCents: 5 });
  t.deepEqual(takenFrom(held, 90), { appliedCents: 70, unappliedCents: 5, coveredCents: 15 });
});

test('operating money funds an amount that a payment no longer holds, and it is nobody’s afterwards', (t) => {
  const paid = receipt('1', 'card', 100, 70);
  const covered = { ...taken('1', 100, 70), coveredCents: 10 };
  t.deepEqual(takenFrom(heldBy(paid, [taken('1', 10, 0)]), 100), {
    appliedCents: 70,
    unappliedCents: 20,
    coveredCents: 10,
  });
  t.deepEqual(heldBy(paid, [taken('1', 10, 0), covered]), { appliedCents: 0, unappliedCents: 0 });
});
