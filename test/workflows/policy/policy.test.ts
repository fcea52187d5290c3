import test from 'ava';
import { SEARCH_ATTRIBUTES } from '../../../contracts/machinery/search-attributes.ts';
import { policyWorkflowId } from '../../../contracts/machinery/start.ts';
import { findPolicy } from '../../../db/queries/policy/policies.ts';
import { addDays, addYears } from '../../../domain/dates.ts';
import { payFirst } from '../billing/billed.ts';
import { type Engine, startEngine, type Tenant } from '../engine.ts';
import { bindNew } from '../run-engine.ts';

let engine: Engine;

test.before(async (t) => {
  engine = await startEngine(t);
});

async function bound(tenant: Tenant, effectiveDate = addDays(tenant.today, 10)): Promise<string> {
  return (await bindNew(engine, tenant, { effectiveDate })).policyId;
}

const status = async (tenant: Tenant, policyId: string) =>
  (await tenant.database.forOrg(tenant.orgId, (em) => findPolicy(em, policyId)))?.status;

const workflow = (tenant: Tenant, policyId: string) =>
  engine.temporal.client.workflow.getHandle(policyWorkflowId(tenant.orgId, policyId));

const advance = (tenant: Tenant, advanceTo: string) =>
  tenant.lifecycle.advanceTestClock(tenant.command(tenant.orgId, { advanceTo }));

test('a policy starts on its effective date, expires on its expiration date, and then its workflow ends', async (t) => {
  const tenant = await engine.organization();
  const effectiveDate = addDays(tenant.today, 10);
  const policyId = await bound(tenant, effectiveDate);
  t.is(await status(tenant, policyId), 'pending');

  await advance(tenant, addDays(effectiveDate, -1));
  t.is(await status(tenant, policyId), 'pending');
  await advance(tenant, effectiveDate);
  t.is(await status(tenant, policyId), 'active');
  t.is((await workflow(tenant, policyId).describe()).status.name, 'RUNNING');

  await payFirst(tenant, policyId);
  await advance(tenant, addYears(effectiveDate, 1));
  t.is(await status(tenant, policyId), 'expired');
  await workflow(tenant, policyId).result();
  const { typedSearchAttributes } = await workflow(tenant, policyId).describe();
  t.is(typedSearchAttributes.get(SEARCH_ATTRIBUTES.entityStatus), 'expired');
});

test('a policy bound on its effective date is active immediately', async (t) => {
  const tenant = await engine.organization();
  t.is(await status(tenant, await bound(tenant, tenant.today)), 'active');
});

test('the operator finds a policy by number and status and reads its next step, asleep and awake', async (t) => {
  const tenant = await engine.organization();
  const effectiveDate = addDays(tenant.today, 10);
  const policyId = await bound(tenant, effectiveDate);
  const policy = await tenant.database.forOrg(tenant.orgId, (em) => findPolicy(em, policyId));
  const description = await workflow(tenant, policyId).describe();
  const shown = Object.fromEntries(
    description.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
  );
  t.like(shown, { EntityId: policyId, EntityStatus: 'pending', PolicyNumber: policy?.policyNumber });
  t.is(await description.staticDetails(), `pending, asleep until ${effectiveDate} or a command`);
  t.is(description.historyLength, 1, 'nothing has run yet');
  await advance(tenant, effectiveDate);
  const { currentDetails } = await workflow(tenant, policyId).query<{ currentDetails: string }>(
    '__temporal_workflow_metadata',
  );
  t.is(currentDetails, `active, next: installment 1 past due on ${addDays(effectiveDate, 1)}`);
});

test('a policy whose workflow was lost gets a new one, which knows the state of the policy', async (t) => {
  const tenant = await engine.organization();
  const policyId = await bound(tenant);
  await workflow(tenant, policyId).terminate('lost');
  await tenant.lifecycle.ensurePolicyWorkflow(tenant.orgId, policyId);
  await tenant.lifecycle.ensurePolicyWorkflow(tenant.orgId, policyId);
  t.is((await workflow(tenant, policyId).describe()).status.name, 'RUNNING');
  await advance(tenant, addDays(tenant.today, 10));
  t.is(await status(tenant, policyId), 'active');
});

test('the test clock starts the workflow of a policy that is due and has none', async (t) => {
  const tenant = await engine.organization();
  const policyId = await bound(tenant);
  await workflow(tenant, policyId).terminate('lost');
  await advance(tenant, addDays(tenant.today, 10));
  t.is(await status(tenant, policyId), 'active');
});
