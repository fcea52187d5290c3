// Return premium that waits for approval: who may approve it, and what waits for the decision.
import test from 'ava';
import { putFlagOverride } from '../../../db/queries/platform/flags.ts';
import { refused } from '../steps.ts';
import { InsuredLife, revenueFor } from './insured-life.ts';

test('nobody behind a cancellation approves its refund, even after its figures have changed', async (t) => {
  const life = await InsuredLife.begin(t);
  const { steps, policyId } = life;
  await steps.database.transaction(steps.orgId, (em) => putFlagOverride(em, 'refund_approval', true));
  const by = (id: string) => ({ actor: { kind: 'user', id, role: 'org_admin' } as const });
  await life.pay(1);
  life.passTo(10);
  const notice = { effectiveDate: life.date(146), reason: 'insured_request', source: null, method: null } as const;
  await steps.activities.cancelPolicy({ ...steps.command(policyId, notice), ...by('usr_first') });
  const changes = { annualRevenueCents: revenueFor(900_000) };
  const endorsement = { effectiveDate: life.date(20), changes, reason: null };
  await steps.activities.endorsePolicy({ ...steps.command(policyId, endorsement), ...by('usr_second') });
  life.passTo(146);
  const { refundIds } = await life.takeEffect();
  const refunds = await life.refunds();
  const ofItsDay = refunds.find(({ id }) => refundIds.includes(id));
  t.like(ofItsDay, { status: 'pending_approval', approval: { requestedBy: 'usr_second' } });
  const approve = (id: string) => {
    const payload = { decision: 'approve', reason: null } as const;
    return steps.activities.decideRefund({ ...steps.command(ofItsDay?.id ?? '', payload), ...by(id) });
  };
  for (const id of ['usr_first', 'usr_second']) await refused(t, approve(id), 'forbidden');
  await approve('usr_third');
});

test('a cancellation is not reversed while its refund waits for approval: only what went back is billed again', async (t) => {
  const life = await InsuredLife.begin(t);
  const { steps } = life;
  await steps.database.transaction(steps.orgId, (em) => putFlagOverride(em, 'refund_approval', true));
  await life.pay(1);
  life.passTo(146);
  const { refundIds } = await life.cancel(146);
  t.deepEqual(await refused(t, life.reinstate(), 'not_ready'), { missing: [], blockers: ['REFUND_AWAITS_APPROVAL'] });
  const payload = { decision: 'reject', reason: 'The cancellation was a mistake.' } as const;
  const actor = { kind: 'user', id: 'usr_other', role: 'org_admin' } as const;
  await steps.activities.decideRefund({ ...steps.command(refundIds[0] ?? '', payload), actor });
  await life.reinstate();
  t.deepEqual(await life.open(), [], 'nothing is billed twice');
  t.is((await life.policy()).grossPremiumCents, 1_000_000);
});
