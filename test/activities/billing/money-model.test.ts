import test from 'ava';
import type { Operation } from './money-operations.ts';
import { type Bill, holdAgainstModel, line, replay } from './money-sequences.ts';

/** A first installment of a policy with a producer, and a later one of a policy without one. */
const BILLS: Bill[] = [
  {
    lines: [
      line('premium', 'PREMIUM', 39_900),
      line('fee', 'POLICY_FEE', 19_500),
      line('tax', 'SL_TAX', 20_297),
      line('tax', 'STAMPING_FEE', 167),
    ],
    hasProducer: true,
    // 12.5 percent of 399.00 is 49.875.
    split: {
      carrierCents: 30_922,
      agentCents: 4_988,
      mgaCents: 3_990,
      taxCents: 20_297,
      stampingCents: 167,
      feeCents: 19_500,
    },
  },
  {
    lines: [line('premium', 'PREMIUM', 39_900)],
    hasProducer: false,
    split: { carrierCents: 35_910, agentCents: 0, mgaCents: 3_990, taxCents: 0, stampingCents: 0, feeCents: 0 },
  },
  {
    // So large that its refunds need approval; 12.5 and 10 percent of 3,500.00.
    lines: [
      line('premium', 'PREMIUM', 350_000),
      line('fee', 'POLICY_FEE', 19_500),
      line('tax', 'SL_TAX', 20_297),
      line('tax', 'STAMPING_FEE', 167),
    ],
    hasProducer: true,
    split: {
      carrierCents: 271_250,
      agentCents: 43_750,
      mgaCents: 35_000,
      taxCents: 20_297,
      stampingCents: 167,
      feeCents: 19_500,
    },
  },
];

test('rows and ledgers of invoices match the model after any payments, refunds, voids, repeated card events in any order, and chargebacks', (t) =>
  holdAgainstModel(t, BILLS));

const ALL = { how: 'all', percent: 1 } as const;
const part = (percent: number) => ({ how: 'part', percent }) as const;
/** Everything left to do after the earlier operations. */
const STEPS = Array.from({ length: 8 }, (): Operation => ({ does: 'step', pick: 0, isTwice: false }));

test('a chargeback from before an invoice was paid, won after a part of it was refunded, is unapplied', (t) =>
  replay(t, BILLS, [
    { does: 'card', size: part(30) },
    { does: 'dispute', pick: 0, percent: 100, isWonFirst: false },
    ...STEPS,
    { does: 'pay', size: ALL, isRepeated: false },
    ...STEPS,
    { does: 'refund', size: part(50) },
    { does: 'settle', pick: 0, isDeclined: false },
    ...STEPS,
    { does: 'closeDispute', pick: 0, isWon: true },
  ]));

test('a chargeback that is won before the refund after it has been posted is unapplied all the same', (t) =>
  replay(t, BILLS, [
    { does: 'card', size: part(30) },
    { does: 'dispute', pick: 0, percent: 100, isWonFirst: false },
    { does: 'pay', size: ALL, isRepeated: false },
    { does: 'refund', size: part(50) },
    { does: 'settle', pick: 0, isDeclined: false },
    { does: 'closeDispute', pick: 0, isWon: true },
  ]));

test('a chargeback won after its invoice was refunded and voided leaves the money on the void invoice', (t) =>
  replay(t, BILLS, [
    { does: 'card', size: ALL },
    { does: 'dispute', pick: 0, percent: 20, isWonFirst: false },
    { does: 'refund', size: ALL },
    { does: 'settle', pick: 0, isDeclined: false },
    ...STEPS,
    { does: 'void', reissue: true },
    { does: 'closeDispute', pick: 0, isWon: true },
    ...STEPS,
  ]));

test('a refund over two cards, one holding money beside the invoice, never takes money that another refund takes too', (t) =>
  replay(t, BILLS, [
    { does: 'pay', size: part(27), isRepeated: false },
    { does: 'card', size: { how: 'cent', percent: 1 } },
    { does: 'card', size: { how: 'over', percent: 1 } },
    { does: 'refund', size: part(75) },
    { does: 'refund', size: { how: 'cent', percent: 1 } },
  ]));

/** A refund made while the invoice was fully paid stands: only the rest is payable again, and its amounts add up. */
const GIVEN_BACK: Operation[] = [
  { does: 'refund', size: part(30) },
  { does: 'settle', pick: 0, isDeclined: false },
  ...STEPS,
];

test('an invoice whose check bounces after a refund bills the amount not refunded, until it is paid again', (t) =>
  replay(t, BILLS, [
    { does: 'pay', size: ALL, isRepeated: false },
    ...[...STEPS, ...GIVEN_BACK],
    { does: 'reverse', pick: 0 },
    ...STEPS,
    { does: 'pay', size: part(40), isRepeated: false },
    { does: 'pay', size: ALL, isRepeated: false },
  ]));

test('an invoice whose dispute is lost after a refund bills the amount not refunded, until it is paid again', (t) =>
  replay(t, BILLS, [
    { does: 'card', size: ALL },
    ...[...STEPS, ...GIVEN_BACK],
    { does: 'dispute', pick: 0, percent: 50, isWonFirst: false },
    { does: 'closeDispute', pick: 0, isWon: false },
    ...STEPS,
    { does: 'pay', size: ALL, isRepeated: false },
  ]));
