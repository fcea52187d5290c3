// A pending next term when the policy before it ends early: it is cancelled flat, and what was paid on it is refunded.
import test from 'ava';
import type { CancelPayload } from '../../../contracts/policy.ts';
import { DaUsage } from '../../../db/entities/authority/da-usage.ts';
import { Payment } from '../../../db/entities/billing/payment.ts';
import { AuditEntry } from '../../../db/entities/platform/audit-entry.ts';
import { Event } from '../../../db/entities/platform/event.ts';
import { newId } from '../../../db/ids.ts';
import { invoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { policyTransactions } from '../../../db/queries/policy/policies.ts';
import { dueForRenewal, firstUntakenExpiration } from '../../../db/queries/renewal/renewal-batches.ts';
import { addDays, yearOf } from '../../../domain/dates.ts';
import { holdRow } from '../../support/held-row.ts';
import { prepareSteps, refused, type Steps } from '../steps.ts';
import { inForce, policyOf, read, renew } from './renewal-steps.ts';

const INSURED = { reason: 'insured_request', source: null, method: null } as const;

const cancel = (steps: Steps, id: string, payload: CancelPayload) =>
  steps.activities.cancelPolicy(steps.command(id, payload));

async function renewedWithDaysLeft(steps: Steps, daysLeft: number) {
  const id = await inForce(steps, { daysLeft });
  const { renewal } = await renew(steps, id);
  const today = addDays(renewal.effectiveDate, -daysLeft);
  return { id, nextId: renewal.policyId, today, start: renewal.effectiveDate };
}

test('cancelling a policy cancels its pending next term as of its first day and leaves nothing of it to pay', async (t) => {
  const steps = await prepareSteps(t);
  const { id, nextId, today, start } = await renewedWithDaysLeft(steps, 60);
  const { endedTermId } = await cancel(steps, id, { ...INSURED, effectiveDate: today });

  t.is(endedTermId, nextId, 'whose workflow reads its row again, though a batch may have issued it past its policy');
  t.like(await policyOf(steps, id), { status: 'cancelled', renewalPolicyId: null });
  t.like(await policyOf(steps, nextId), {
    status: 'cancelled',
    grossPremiumCents: 0,
    fees: [],
    totalDueCents: 0,
    cancellation: { effectiveDate: start, reason: 'flat_not_taken', method: 'flat', source: 'insured' },
  });
  await read(steps, async (em) => {
    const [, flat, ...more] = await policyTransactions(em, nextId);
    t.deepEqual(more, []);
    t.like(flat, {
      type: 'cancellation',
      effectiveDate: start,
      premiumChangeCents: -399_000,
      feeChangeCents: -19_500,
      taxChangeCents: -20_464,
    });
    const invoices = await invoicesOfPolicy(em, nextId);
    t.is(invoices.length, 10);
    t.true(invoices.every(({ voidedAt }) => voidedAt !== null));
    t.is((await em.findOneOrFail(DaUsage, { year: yearOf(start) })).usedCents, 0);
    const cancelled = await em.find(Event, { type: 'policy.cancelled' });
    t.deepEqual(cancelled.map(({ data }) => data.policyId).sort(), [id, nextId].sort());
    t.is(await em.count(AuditEntry, { action: 'policy:cancel' }), 2);
  });
});

test('money paid on the next term goes back when the policy before it is cancelled', async (t) => {
  const steps = await prepareSteps(t);
  const { id, nextId, today } = await renewedWithDaysLeft(steps, 60);
  const [first] = await read(steps, (em) => invoicesOfPolicy(em, nextId));
  const receipt = {
    invoiceId: first!.id,
    amountCents: 79_864,
    method: 'check',
    reference: '4711',
    receivedDate: today,
  } as const;
  await steps.activities.recordPayment(steps.command(newId('payment'), receipt));
  const { refundIds } = await cancel(steps, id, { ...INSURED, effectiveDate: today });
  const refunds = await read(steps, (em) => em.find(Payment, { id: { $in: refundIds }, policyId: nextId }));
  t.deepEqual(
    refunds.map(({ amountCents, status, invoiceId }) => [amountCents, status, invoiceId]),
    [[-79_864, 'pending', first!.id]],
  );
});

test('a cancellation that is announced leaves the next term until its day', async (t) => {
  const steps = await prepareSteps(t);
  const { id, nextId, today } = await renewedWithDaysLeft(steps, 60);
  await cancel(steps, id, { ...INSURED, effectiveDate: addDays(today, 10) });
  t.like(await policyOf(steps, id), { status: 'pending_cancellation', renewalPolicyId: nextId });
  t.like(await policyOf(steps, nextId), { status: 'pending', grossPremiumCents: 399_000 });

  steps.passDays(10);
  const due = { orgId: steps.orgId, entityId: id, today: addDays(today, 10) };
  t.is((await steps.activities.takeCancellationEffect(due)).status, 'cancelled');
  t.like(await policyOf(steps, nextId), { status: 'cancelled', grossPremiumCents: 0 });
  const again = await steps.activities.takeCancellationEffect(due);
  t.like(again, { status: 'cancelled', refundIds: [] });
  t.is(await read(steps, async (em) => (await policyTransactions(em, nextId)).length), 2);
});

test('a cancellation whose step comes weeks late takes the next term whole, though it has begun and is paid for', async (t) => {
  const steps = await prepareSteps(t);
  const { id, nextId, today, start } = await renewedWithDaysLeft(steps, 60);
  await cancel(steps, id, { ...INSURED, effectiveDate: addDays(today, 10) });
  // More than the 30 days by which an insured may backdate.
  steps.passDays(60 + 31);
  const late = addDays(start, 31);
  const { activities, orgId } = steps;
  t.is((await activities.activatePolicy({ orgId, entityId: nextId, today: late })).status, 'active');
  const [first] = await read(steps, (em) => invoicesOfPolicy(em, nextId));
  const receipt = {
    ...{ invoiceId: first!.id, amountCents: 79_864, method: 'check' as const, reference: '4711' },
    receivedDate: null,
  };
  await activities.recordPayment(steps.command(newId('payment'), receipt));

  const ended = await activities.takeCancellationEffect({ orgId, entityId: id, today: late });
  t.like(ended, { status: 'cancelled', endedTermId: nextId });
  const cancellation = { effectiveDate: start, reason: 'flat_not_taken', method: 'flat', source: 'insured' } as const;
  t.like(await policyOf(steps, nextId), { status: 'cancelled', grossPremiumCents: 0, totalDueCents: 0, cancellation });
  const refunds = await read(steps, (em) => em.find(Payment, { id: { $in: ended.refundIds }, policyId: nextId }));
  t.deepEqual(
    refunds.map(({ amountCents }) => amountCents),
    [-79_864],
  );
});

test('a policy that is reinstated, or whose next term alone was cancelled, can be renewed again, and has one next term', async (t) => {
  const steps = await prepareSteps(t);
  const { id, nextId, today, start } = await renewedWithDaysLeft(steps, 60);
  await cancel(steps, id, { ...INSURED, effectiveDate: today });
  await steps.activities.reinstatePolicy(steps.command(id, { effectiveDate: null, reason: null }));
  const second = await renew(steps, id);
  t.not(second.renewal.policyId, nextId);
  t.like(await policyOf(steps, id), { status: 'active', renewalPolicyId: second.renewal.policyId });

  await cancel(steps, second.renewal.policyId, { ...INSURED, effectiveDate: start });
  t.like(await policyOf(steps, second.renewal.policyId), { status: 'cancelled', grossPremiumCents: 0 });
  const third = await renew(steps, id);
  const reinstate = steps.command(second.renewal.policyId, { effectiveDate: null, reason: null });
  const details = await refused(t, steps.activities.reinstatePolicy(reinstate), 'already_exists');
  t.deepEqual(details, { renewalPolicyId: third.renewal.policyId });
  const numbers = [nextId, second.renewal.policyId, third.renewal.policyId].map((each) => policyOf(steps, each));
  t.deepEqual(
    (await Promise.all(numbers)).map(({ policyNumber }) => policyNumber.slice(-6)),
    ['000001', '000002', '000003'],
  );
});

test('a next term that was cancelled by itself leaves the policy to the next renewal batch', async (t) => {
  const steps = await prepareSteps(t);
  const { id, nextId, today, start } = await renewedWithDaysLeft(steps, 60);
  const window = { today, withinDays: 60 };
  const due = () => read(steps, async (em) => (await dueForRenewal(em, window, { limit: 10 })).data);
  t.deepEqual(await due(), []);
  await cancel(steps, nextId, { ...INSURED, effectiveDate: start });
  t.deepEqual(await due(), [id]);
  t.is(await read(steps, (em) => firstUntakenExpiration(em, start)), start);
});

test('a next term is not reinstated while the term before it is cancelled', async (t) => {
  const steps = await prepareSteps(t);
  const { id, nextId, today } = await renewedWithDaysLeft(steps, 60);
  const reinstate = (policyId: string) =>
    steps.activities.reinstatePolicy(steps.command(policyId, { effectiveDate: null, reason: null }));
  await cancel(steps, id, { ...INSURED, effectiveDate: today });
  const details = await refused(t, reinstate(nextId), 'not_ready');
  t.deepEqual(details, { missing: [], blockers: ['PRIOR_TERM_CANCELLED'] });
  t.is((await policyOf(steps, nextId)).status, 'cancelled');

  await reinstate(id);
  await reinstate(nextId);
  t.is((await policyOf(steps, nextId)).status, 'pending');
  t.is((await policyOf(steps, id)).renewalPolicyId, nextId);
  await cancel(steps, id, { ...INSURED, effectiveDate: today });
  t.is((await policyOf(steps, nextId)).status, 'cancelled');
});

test('a simultaneous reinstatement of a next term and cancellation of the one before leave no next term behind', async (t) => {
  const steps = await prepareSteps(t);
  const { id, nextId, today, start } = await renewedWithDaysLeft(steps, 60);
  await cancel(steps, nextId, { ...INSURED, effectiveDate: start });
  const reinstate = steps.command(nextId, { effectiveDate: null, reason: null });
  const [, cancelled] = await Promise.allSettled([
    steps.activities.reinstatePolicy(reinstate),
    cancel(steps, id, { ...INSURED, effectiveDate: today }),
  ]);
  t.is(cancelled.status, 'fulfilled');
  t.is((await policyOf(steps, id)).status, 'cancelled');
  t.is((await policyOf(steps, nextId)).status, 'cancelled');
});

test('a simultaneous renewal and cancellation run one after the other, and no next term is left behind either way', async (t) => {
  const steps = await prepareSteps(t);
  const id = await inForce(steps, { daysLeft: 60 });
  const { expirationDate } = await policyOf(steps, id);
  const payload = { ...INSURED, effectiveDate: addDays(expirationDate, -60) };
  const [renewed, cancelled] = await Promise.allSettled([renew(steps, id), cancel(steps, id, payload)]);
  t.is(cancelled.status, 'fulfilled');
  t.like(await policyOf(steps, id), { status: 'cancelled', renewalPolicyId: null });
  if (renewed.status === 'fulfilled') {
    t.like(await policyOf(steps, renewed.value.renewal.policyId), { status: 'cancelled', grossPremiumCents: 0 });
  } else {
    await refused(t, Promise.reject(renewed.reason), 'invalid_state_transition');
  }
});

test('a step that ends a policy locks its next term before the use of authority, as a change of the next term does', async (t) => {
  const steps = await prepareSteps(t);
  const { id, nextId, today } = await renewedWithDaysLeft(steps, 60);
  const next = await holdRow(steps.ownerUrl, 'policies', 'id = $1', nextId);
  const cancelled = cancel(steps, id, { ...INSURED, effectiveDate: today });
  await next.isWaitedFor();
  const usage = await holdRow(steps.ownerUrl, 'da_usage', 'org_id = $1', steps.orgId);
  await usage.release();
  await next.release();
  t.is((await cancelled).status, 'cancelled');
});
