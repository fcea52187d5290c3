import test from 'ava';
import { type Bill, holdAgainstModel, line } from './money-sequences.ts';

/** So small that most of it is rounding. */
const BILLS: Bill[] = [
  {
    lines: [
      line('premium', 'PREMIUM', 9),
      line('fee', 'POLICY_FEE', 3),
      line('tax', 'SL_TAX', 2),
      line('tax', 'STAMPING_FEE', 1),
    ],
    hasProducer: true,
    // Of 9 cents 1.125 and 0.9.
    split: { carrierCents: 7, agentCents: 1, mgaCents: 1, taxCents: 2, stampingCents: 1, feeCents: 3 },
  },
];

test('rows and ledgers of invoices of a few cents match the model after any payments, refunds, voids, repeated card events in any order, and chargebacks', (t) =>
  holdAgainstModel(t, BILLS));
