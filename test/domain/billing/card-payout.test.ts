// Card processor payouts: whose money they carry, and how they are posted. Figures by hand.
import test from 'ava';
import {
  FOREIGN,
  isWhole,
  type OwnedMovement,
  type PayoutMovement,
  payoutShares,
  withFeesApart,
} from '../../../domain/billing/card-payout.ts';
import { cardPayoutEntries, failedCardPayoutEntry } from '../../../domain/billing/ledger/card-payout-entries.ts';
import type { Posting } from '../../../domain/billing/ledger/posting.ts';
import { fc } from '../../support/fixed/chance.ts';

const movement = (amountCents: number, feeCents: number, owner: string | null): OwnedMovement => ({
  ...{ transactionId: 'txn_1', type: 'charge', amountCents, feeCents, sourceId: 'ch_1', intentId: 'pi_1' },
  ...{ orgId: null, failedPayoutId: null, occurredAt: '2026-11-20T10:00:00.000Z', owner },
});

/** What organizations receive from a payout: gross, fees, net. */
const shares = (...movements: OwnedMovement[]) =>
  Object.fromEntries(
    [...payoutShares(movements)].map(([owner, { grossCents, feeCents, netCents }]) => [
      owner,
      [grossCents, feeCents, netCents],
    ]),
  );

const effect = (entries: readonly (Posting | null)[]) =>
  entries.map((entry) => [
    entry?.ledger,
    entry?.entryType,
    Object.fromEntries((entry?.lines ?? []).map((line) => [line.account, line.debitCents - line.creditCents])),
  ]);

test('each organization gets the money collected for it, less refunds and the fees of the processor', (t) => {
  // 100.00 with a fee of 3.20 and a refund of 25.00: 100.00 - 25.00 - 3.20 = 71.80.
  const both = shares(movement(10_000, 320, 'a'), movement(-2_500, 0, 'a'), movement(5_000, 175, 'b'));
  t.deepEqual(both, { a: [7_500, 320, 7_180], b: [5_000, 175, 4_825] });
});

test('a movement that names nobody belongs to the only owner of the rest, and to nobody if there are several', (t) => {
  // An account fee of 2.00: kept by the processor, not refunded to a customer.
  const fee = withFeesApart({ ...movement(0 - 200, 0, null), type: 'stripe_fee' });
  t.deepEqual(shares(movement(10_000, 320, 'a'), fee), { a: [10_000, 520, 9_480] });
  t.deepEqual(shares(movement(10_000, 320, 'a'), movement(5_000, 175, 'b'), fee), {
    a: [10_000, 320, 9_680],
    b: [5_000, 175, 4_825],
  });
  t.deepEqual(shares(fee), {});
});

test('charges of others by the same account belong to no organization here', (t) => {
  t.deepEqual(shares(movement(10_000, 320, 'a'), movement(900, 30, FOREIGN), movement(-100, 0, null)), {
    a: [10_000, 320, 9_680],
  });
});

test('a payout is complete when its movements less fees equal its amount, and when nobody itemizes it', (t) => {
  const payout = {
    payoutId: 'po_1',
    status: 'paid',
    amountCents: 7_180,
    arrivesOn: '2026-11-21',
    trace: null,
    currency: 'usd',
  };
  const movements: PayoutMovement[] = [movement(10_000, 320, null), movement(-2_500, 0, null)];
  t.true(isWhole({ ...payout, movements }));
  t.false(isWhole({ ...payout, movements: movements.slice(1) }));
  t.true(isWhole({ ...payout, movements: [] }));
});

test('a payout arrives in the trust account, and operating cash puts in the fees that the processor kept', (t) => {
  t.deepEqual(effect(cardPayoutEntries({ netCents: 426_204, feeCents: 12_760 })), [
    ['fiduciary', 'card_payout', { 1010: 426_204, 1110: -426_204 }],
    ['fiduciary', 'card_fees_covered', { 1010: 12_760, 1110: -12_760 }],
    ['general', 'card_fees', { 5010: 12_760, 1030: -12_760 }],
  ]);
});

test('a payout that the processor collects leaves the trust account, and a fee that comes back comes to operating cash', (t) => {
  t.deepEqual(effect(cardPayoutEntries({ netCents: -5_000, feeCents: -100 })), [
    ['fiduciary', 'card_payout', { 1010: -5_000, 1110: 5_000 }],
    ['fiduciary', 'card_fees_covered', { 1010: -100, 1110: 100 }],
    ['general', 'card_fees', { 5010: -100, 1030: 100 }],
  ]);
  t.deepEqual(cardPayoutEntries({ netCents: 0, feeCents: 0 }), []);
});

test('the trust account keeps the fee that operating cash has put in, whatever is paid out and comes back', (t) => {
  const cents = fc.integer({ min: -1_000_000, max: 1_000_000 });
  fc.assert(
    fc.property(cents, cents, (netCents, feeCents) => {
      const entries = [...cardPayoutEntries({ netCents, feeCents }), failedCardPayoutEntry(netCents)];
      const lines = entries.flatMap((entry) => entry?.lines ?? []);
      const on = (account: number) =>
        lines.reduce((sum, line) => sum + (line.account === account ? line.debitCents - line.creditCents : 0), 0);
      return on(1010) === feeCents && on(1110) === 0 - feeCents && on(1030) === 0 - on(5010);
    }),
  );
  t.pass();
});
