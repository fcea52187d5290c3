// Refunds that wait for approval for a share of policies.
import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { findPayment } from '../../../db/queries/billing/payments.ts';
import { putFlagOverride } from '../../../db/queries/platform/flags.ts';
import { shareOf } from '../../../domain/platform/flags.ts';
import { prepareSteps } from '../steps.ts';
import { insuredBy, Money } from './returns.ts';

test('money without a policy waits for approval or does not, however often its refund is requested', async (t) => {
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
