// Return premium that cards refuse for good, and what may have happened to its money meanwhile. The worked example:
// 10,751.23 paid by card, cancelled pro rata on day 146, so that 6,293.40 is returned. Decision 0319.
import test from 'ava';
import type { RefusedPart } from '../../../../activities/billing/refunds/refused-returns.ts';
import type { InsuredLife } from '../../policy/insured-life.ts';
import {
  cancelled,
  closing,
  holds,
  issueOwed,
  LEFT_TO_PAY,
  loseDispute,
  payByCard,
  RETURNED,
  receiptBy,
  TOTAL,
} from './rejected-returns.ts';

const CARD = { pay: payByCard };
const DECLINED = { message: 'No.', details: {} };

/** Settles the processor's answer: refused for good, or no answer at all. */
async function settle(life: InsuredLife, refundId: string, isKnown: boolean) {
  const { activities, orgId } = life.steps;
  const paymentId = await receiptBy(life, 'card');
  const refused: RefusedPart[] = isKnown ? [{ paymentId, processorRefundId: null }] : [];
  const settlement = { orgId, entityId: refundId, given: [], refused, declined: DECLINED };
  return activities.settleRefund(settlement);
}

/** A life whose return premium its card has refused, posted to the ledgers. */
async function refused(t: Parameters<typeof cancelled>[0]) {
  const owed = await cancelled(t, CARD, { needsApproval: false });
  const { policiesToNotify } = await settle(owed.life, owed.refundId, true);
  await owed.disputed.post(owed.refundId);
  return { ...owed, policiesToNotify };
}

test('return premium declined by a card leaves its parts and is credited to the insured until its check goes out', async (t) => {
  const { life, policiesToNotify } = await refused(t);
  t.deepEqual(policiesToNotify, [life.policyId], 'it pays what is past due before a demand');
  t.is(await closing(t, life), -RETURNED);
  t.like(await life.disbursements(), [{ amountCents: RETURNED, status: 'pending' }]);
  t.is((await life.balances())[2060], -RETURNED);
  await life.check(t);
  await issueOwed(life);
  t.is(await closing(t, life), 0);
  t.is((await life.balances())[2060], 0);
  await life.check(t);
});

test('a dispute lost after the card declined leaves no check to be issued, and no loss once it is cancelled', async (t) => {
  const { life, disputed, intentId } = await refused(t);
  await loseDispute(disputed, intentId);
  t.is(await closing(t, life), LEFT_TO_PAY);
  t.like(await t.throwsAsync(issueOwed(life)), { type: 'invalid_state_transition' });
  const { activities, command } = life.steps;
  const [owed] = await life.disbursements();
  await activities.cancelDisbursement(command(owed?.id ?? '', { reason: 'The dispute was lost.' }));
  await holds(t, life, {});
});

test('return premium owes nobody a check if a bank took its money before the card declined it', async (t) => {
  const { life, disputed, intentId, refundId } = await cancelled(t, CARD, { needsApproval: false });
  await disputed.hearOf(intentId, TOTAL, 'closed', 'lost');
  const { refund } = await settle(life, refundId, true);
  t.is(refund, null);
  t.deepEqual(await life.disbursements(), []);
  t.is(await closing(t, life), LEFT_TO_PAY);
});

test('return premium is owed to nobody by check while the processor has not responded', async (t) => {
  const { life, refundId } = await cancelled(t, CARD, { needsApproval: false });
  const { refund } = await settle(life, refundId, false);
  t.is(refund, null);
  t.deepEqual(await life.disbursements(), []);
});
