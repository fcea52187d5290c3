import test from 'ava';
import { AuditEntry } from '../../../db/entities/platform/audit-entry.ts';
import { findOrganization } from '../../../db/queries/platform/organizations.ts';
import { findSubmission } from '../../../db/queries/submission/submissions.ts';
import { addDays } from '../../../domain/dates.ts';
import { payFirst } from '../billing/billed.ts';
import { type Engine, startEngine, type Tenant } from '../engine.ts';

let engine: Engine;

test.before(async (t) => {
  engine = await startEngine(t);
});

const advance = (tenant: Tenant, days: number) =>
  tenant.lifecycle.advanceTestClock(tenant.command(tenant.orgId, { advanceTo: addDays(tenant.today, days) }));

const offset = async (tenant: Tenant) =>
  (await tenant.database.forOrg(tenant.orgId, (em) => findOrganization(em, tenant.orgId)))?.clockOffsetDays;

const status = async (tenant: Tenant, submissionId: string) =>
  (await tenant.database.forOrg(tenant.orgId, (em) => findSubmission(em, submissionId)))?.status;

test('the clock returns the date it has reached, and only moves forward', async (t) => {
  const tenant = await engine.organization();
  t.deepEqual(await advance(tenant, 3), { date: addDays(tenant.today, 3) });
  t.is(await offset(tenant), 3);
  const error = await t.throwsAsync(advance(tenant, 3), { code: 'invalid_state_transition' });
  t.like(error, { details: { resource: 'test_clock', from: addDays(tenant.today, 3), action: 'advance' } });
  t.is(await offset(tenant), 3);
});

test('a move of the clock requested twice is made once', async (t) => {
  const tenant = await engine.organization();
  const command = tenant.command(tenant.orgId, { advanceTo: addDays(tenant.today, 5) });
  t.deepEqual(await tenant.lifecycle.advanceTestClock(command), await tenant.lifecycle.advanceTestClock(command));
  t.is(await offset(tenant), 5);
});

test('an untouched submission expires on the ninetieth day, one touched meanwhile does not', async (t) => {
  const tenant = await engine.organization();
  const untouched = await tenant.created({ effectiveDate: addDays(tenant.today, 60) });
  const touched = await tenant.created({ effectiveDate: addDays(tenant.today, 60) });
  await advance(tenant, 89);
  t.is(await status(tenant, untouched), 'triaged');
  await tenant.lifecycle.correctSubmission(tenant.command(touched, { description: 'Still wanted' }));
  await advance(tenant, 90);
  t.is(await status(tenant, untouched), 'expired');
  t.is(await status(tenant, touched), 'triaged');
  await advance(tenant, 179);
  t.is(await status(tenant, touched), 'expired');
});

test('events that fall due on the way happen in the order of the dates', async (t) => {
  const tenant = await engine.organization();
  const later = await tenant.quoted({ effectiveDate: addDays(tenant.today, 20) });
  const sooner = await tenant.quoted({ effectiveDate: addDays(tenant.today, 5) });
  const policyIds: string[] = [];
  for (const submissionId of [later, sooner]) {
    const bind = tenant.command(submissionId, { installmentPlan: 'PAY_IN_FULL' as const, quoteId: null });
    const { policyId } = await tenant.lifecycle.bindSubmission(bind);
    await payFirst(tenant, policyId);
    policyIds.push(policyId);
  }
  const [laterPolicy, soonerPolicy] = policyIds;
  await advance(tenant, 386);
  const steps = await tenant.database.forOrg(tenant.orgId, (em) =>
    em.find(AuditEntry, { action: { $in: ['policy:activate', 'policy:expire'] } }, { orderBy: { id: 'asc' } }),
  );
  t.deepEqual(
    steps.map(({ action, entityId, changes }) => [action, entityId, changes.on]),
    [
      ['policy:activate', soonerPolicy, addDays(tenant.today, 5)],
      ['policy:activate', laterPolicy, addDays(tenant.today, 20)],
      ['policy:expire', soonerPolicy, addDays(tenant.today, 370)],
      ['policy:expire', laterPolicy, addDays(tenant.today, 385)],
    ],
  );
});

test('more falls due on one day than fits a page, and all of it happens', async (t) => {
  const tenant = await engine.organization();
  const ids = await Promise.all(Array.from({ length: 60 }, () => tenant.created()));
  await advance(tenant, 90);
  const left = await Promise.all(ids.map((id) => status(tenant, id)));
  t.deepEqual([...new Set(left)], ['expired']);
});

test('the clock of one organization does not move that of another', async (t) => {
  const tenant = await engine.organization();
  const other = await engine.organization();
  const submissionId = await other.created();
  await advance(tenant, 90);
  t.is(await offset(other), 0);
  t.is(await status(other, submissionId), 'triaged');
});
