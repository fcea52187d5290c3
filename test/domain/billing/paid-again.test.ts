// How much returned money must be paid again, given the state of the invoice and of its other returns. Figures by
// hand.
import test from 'ava';
import {
  beyondTotalCents,
  foreseenAmounts,
  type InvoiceReturn,
  paidAgainCents,
} from '../../../domain/billing/paid-again.ts';

const invoice = {
  ...{ totalCents: 100, paidCents: 100, refundedCents: 0, refundedBeforePaidCents: 0 },
  ...{ voided: false, uncollectible: false, dueDate: '2026-01-01' },
};
const refund = (cents: number, of: Partial<InvoiceReturn> = {}): InvoiceReturn => {
  return { status: 'pending', appliedCents: -cents, beforePaidCents: 0, composition: null, dispute: null, ...of };
};
const disputed = (cents: number) => refund(cents, { status: 'succeeded', dispute: { outcome: 'open' } });
const composition = { premiumCents: 40, taxCents: 0, stampingCents: 0, feeCents: 0 };

test('a refund of a paid invoice stays with the insured, one of an unpaid invoice is payable again', (t) => {
  t.is(paidAgainCents(invoice, refund(40), []), 0);
  t.is(paidAgainCents({ ...invoice, paidCents: 99 }, refund(40), []), 40);
});

test('return premium of a policy change is never payable again', (t) => {
  for (const paidCents of [99, 100, 150])
    t.is(paidAgainCents({ ...invoice, paidCents }, refund(40, { composition }), []), 0);
});

test('the money that a credit leaves over goes first, unless a bank holds it', (t) => {
  const credited = { ...invoice, totalCents: 70 };
  t.is(paidAgainCents(credited, refund(40), []), 30);
  t.is(paidAgainCents({ ...credited, refundedCents: 20 }, refund(40), [disputed(20)]), 10);
  t.is(paidAgainCents({ ...credited, refundedCents: 50 }, refund(40), [disputed(50)]), 0);
});

test('an invoice is foreseen without reserved and disputed money, each reserved refund by the one before it', (t) => {
  const two = [refund(20), refund(30)];
  const { amounts, paidAgain } = foreseenAmounts({ ...invoice, totalCents: 90 }, [...two, disputed(15)]);
  // The bank holds 15, more than the 10 left over.
  t.deepEqual([...paidAgain.values()], [0, 0]);
  t.like(amounts, { refundedCents: 50, refundedBeforePaidCents: 15 });
  const partly = foreseenAmounts({ ...invoice, paidCents: 60 }, two);
  t.deepEqual([...partly.paidAgain.values()], [20, 30]);
  t.like(partly.amounts, { refundedCents: 50, refundedBeforePaidCents: 50 });
});

test('only money that neither a refund nor a bank takes is beyond the total', (t) => {
  const credited = { ...invoice, totalCents: 30, paidCents: 60 };
  t.is(beyondTotalCents(credited, []), 30);
  t.is(beyondTotalCents(credited, [refund(25)]), 5);
  t.is(beyondTotalCents({ ...credited, refundedCents: 30 }, [disputed(30)]), 0);
  t.is(beyondTotalCents({ ...credited, voided: true }, [refund(25)]), 35);
  t.is(beyondTotalCents(invoice, [refund(25)]), 0);
});
