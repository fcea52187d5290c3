// Which refunds wait for approval: with a rollout to a share of policies, and counting earlier refunds.
import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { findPayment } from '../../../db/queries/billing/payments.ts';
import { putFlagOverride } from '../../../db/queries/platform/flags.ts';
import { shareOf } from '../../../domain/platform/flags.ts';
import { followed } from '../policy/followed-payments.ts';
import { InsuredLife } from '../policy/insured-life.ts';
import { prepareSteps } from '../steps.ts';
import { insuredBy, Money } from './returns.ts';

test('a refund of money without a policy needs approval or does not, however often it is requested', async (t) => {
  const steps = await prepareSteps(t);
  const money = await Money.on(steps, await insuredBy(steps));
  const { database, orgId, activities, command } = steps;
  const rollout = { percent: 50, by: 'policy' };
  await database.transaction(orgId, (em) => putFlagOverride(em, 'refund_approval', { rollout }));
  const payload = { amountCents: 150_000, reason: 'Paid by mistake.' };
  const statusOf = async (paymentId: string) => {
    const { refundId } = await activities.reserveReturn(command(newId('refund'), { ...payload, paymentId }));
    return (await database.forOrg(orgId, (em) => findPayment(em, refundId)))?.status;
  };
  for (let n = 0; n < 4; n += 1) {
    const intentId = await money.payByCard(5 * payload.amountCents, null);
    const [receipt] = await database.forOrg(orgId, (em) =>
      em.execute<{ id: string }[]>('select id from payments where reference = ?', [intentId]),
    );
    const paymentId = receipt?.id ?? '';
    const expected = shareOf('refund_approval', paymentId) < 50 ? 'pending_approval' : 'pending';
    for (let turn = 0; turn < 5; turn += 1) t.is(await statusOf(paymentId), expected);
  }
});

test('a refund kept instead of paid out does not count toward the next one', async (t) => {
  const life = await InsuredLife.begin(t);
  const { activities, command, database, orgId } = life.steps;
  await database.transaction(orgId, (em) => putFlagOverride(em, 'refund_approval', true));
  await life.pay(1);
  const invoiceId = (await life.invoices())[0]?.id ?? '';
  const refund = async (amountCents: number) => {
    const { refundId, awaitsApproval } = await activities.reserveRefund(
      command(newId('refund'), { invoiceId, amountCents, reason: 'Goodwill' }),
    );
    if (!awaitsApproval) await life.settle([refundId]);
    return awaitsApproval;
  };
  t.deepEqual([await refund(60_000), await refund(40_000)], [false, false]);
  const [first] = await life.disbursements();
  const { kept } = await activities.cancelDisbursement(command(first?.id ?? '', { reason: 'Kept' }));
  await followed(life, kept ? [kept] : []);
  // 400.00 is to be paid out, and another 600.00 makes 1,000.00. One dollar above that needs someone else's approval.
  const payload = { paymentId: kept?.paymentId ?? '', amountCents: 60_000, reason: 'Sent after all' };
  const returned = await activities.reserveReturn(command(newId('refund'), payload));
  t.false(returned.awaitsApproval);
  t.true(await refund(100));
});
