// Which recorded refund a failed card refund belongs to, and what is left of it.
import test from 'ava';
import { type FailedCardRefund, failAllocation, refundThatFailed } from '../../../domain/billing/refund-failure.ts';

const FAILED: FailedCardRefund = { paymentId: 'pay_1', processorRefundId: 're_1', amountCents: 300, createdAt: 7 };
const part = (amountCents: number, processorRefundId: string | null = null, method = 'card') => ({
  ...{ paymentId: 'pay_1', amountCents, method, processorRefundId },
});

test('the refund that names the processor’s refund failed, even when an earlier one could be meant', (t) => {
  const [early, named] = [{ allocations: [part(300)] }, { allocations: [part(300, 're_1')] }];
  t.is(refundThatFailed([early, named], FAILED), named);
  t.is(refundThatFailed([early], FAILED), early);
});

test('a refund of less, by check, of another payment, or under another name is not the one that failed', (t) => {
  const others = [part(299), part(300, null, 'check'), { ...part(300), paymentId: 'pay_2' }, part(300, 're_2')];
  for (const other of others) t.is(refundThatFailed([{ allocations: [other] }], FAILED), null);
});

test('the part that failed is marked, and split off from several refunds in one total', (t) => {
  const marked = { ...part(300, 're_1'), failedAt: 7 };
  t.deepEqual(failAllocation([part(50, null, 'check'), part(300, 're_1')], FAILED), [part(50, null, 'check'), marked]);
  t.deepEqual(failAllocation([part(450)], FAILED), [marked, part(150)]);
});

test('both halves of a split refund part state how much of it was unapplied money', (t) => {
  const [marked, rest] = failAllocation([part(450)], FAILED, 400);
  t.like(marked, { amountCents: 300, unappliedCents: 300, failedAt: 7 });
  t.like(rest, { amountCents: 150, unappliedCents: 100 });
});
