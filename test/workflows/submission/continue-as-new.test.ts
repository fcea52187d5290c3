import test from 'ava';
import { policyWorkflowId, submissionWorkflowId } from '../../../contracts/machinery/start.ts';
import { AuditEntry } from '../../../db/entities/platform/audit-entry.ts';
import { findPolicy, policyTransactions } from '../../../db/queries/policy/policies.ts';
import { findSubmission } from '../../../db/queries/submission/submissions.ts';
import { addDays } from '../../../domain/dates.ts';
import { DAYS_AHEAD } from '../../support/fixed/today.ts';
import type { TestServer } from '../../support/servers/servers.ts';
import { type Engine, startEngine } from '../engine.ts';
import { quotesOf } from '../quotes-of.ts';
import { bindNew } from '../run-engine.ts';
import { runsOf } from '../runs-of.ts';
import { startServerWithShortHistories } from '../short-histories.ts';

const EVENTS = 40;

let server: TestServer;
let engine: Engine;

test.before(async (t) => {
  server = await startServerWithShortHistories(EVENTS);
  engine = await startEngine(t, { temporalAddress: server.address });
});

test.after.always('the server is stopped', () => server?.stop());

test('commands sent while the workflow keeps continuing as new are each carried out once', async (t) => {
  const submissionId = await engine.created();
  const COMMANDS = 40;
  const quotes = Array.from({ length: COMMANDS }, () => engine.command(submissionId, {}));
  const turns = quotes.values();
  const outcomes = new Map<string, string>();
  const takeTurns = async () => {
    for (const command of turns) {
      outcomes.set(command.commandId, (await engine.lifecycle.quoteSubmission(command)).quoteId);
    }
  };
  await Promise.all(Array.from({ length: 5 }, takeTurns));

  const rows = await engine.database.forOrg(engine.orgId, (em) => quotesOf(em, submissionId));
  t.is(rows.length, COMMANDS);
  t.is(new Set(outcomes.values()).size, COMMANDS);
  t.true((await runsOf(engine.temporal.client, submissionWorkflowId(engine.orgId, submissionId))).length > 2);

  // The first command belongs to a run long gone; its update id is new to this one.
  const [first] = quotes;
  t.is((await engine.lifecycle.quoteSubmission(first!)).quoteId, outcomes.get(first!.commandId)!);
  const after = await engine.database.forOrg(engine.orgId, (em) => quotesOf(em, submissionId));
  t.is(after.length, COMMANDS);
});

test('a run that was continued still knows its state, its date and its search attributes', async (t) => {
  const submissionId = await engine.created();
  for (let i = 0; i < 12; i += 1) await engine.lifecycle.quoteSubmission(engine.command(submissionId, {}));
  const workflowId = submissionWorkflowId(engine.orgId, submissionId);
  t.true((await runsOf(engine.temporal.client, workflowId)).length > 1);

  const handle = engine.temporal.client.workflow.getHandle(workflowId);
  const description = await handle.describe();
  const shown = Object.fromEntries(
    description.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
  );
  t.like(shown, { OrgId: engine.orgId, EntityId: submissionId, EntityStatus: 'quoted', LineOfBusiness: 'GL' });
  const row = await engine.database.forOrg(engine.orgId, (em) => findSubmission(em, submissionId));
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  t.is(currentDetails, `quoted, next: expires on ${row?.expiresOn}`);

  const refused = engine.lifecycle.bindSubmission(
    engine.command(submissionId, { installmentPlan: 'PAY_IN_FULL', quoteId: 'quo_00000000000000000000000000' }),
  );
  await t.throwsAsync(refused, { code: 'validation_failed' });
});

test('a policy whose history was cut still starts on its date', async (t) => {
  const tenant = await engine.organization();
  const { policyId } = await bindNew(engine, tenant, { effectiveDate: addDays(tenant.today, 30) });
  const workflowId = policyWorkflowId(tenant.orgId, policyId);
  const handle = engine.temporal.client.workflow.getHandle(workflowId);
  for (let i = 0; i < 12; i += 1)
    await handle.executeUpdate('advanceClock', { args: [{ clockOffsetDays: DAYS_AHEAD }] });
  t.true((await runsOf(engine.temporal.client, workflowId)).length > 1);

  await tenant.lifecycle.advanceTestClock(tenant.command(tenant.orgId, { advanceTo: addDays(tenant.today, 30) }));
  t.is((await tenant.database.forOrg(tenant.orgId, (em) => findPolicy(em, policyId)))?.status, 'active');
  const started = await tenant.database.forOrg(tenant.orgId, (em) =>
    em.count(AuditEntry, { action: 'policy:activate', entityId: policyId }),
  );
  t.is(started, 1);
});

test('a policy whose history was cut still ends on the day of its cancellation', async (t) => {
  const tenant = await engine.organization();
  const submissionId = await tenant.quoted({ effectiveDate: addDays(tenant.today, 10) });
  const bind = tenant.command(submissionId, { installmentPlan: 'PAY_IN_FULL' as const, quoteId: null });
  const { policyId } = await tenant.lifecycle.bindSubmission(bind);
  // Before the unpaid policy would lapse.
  const day = addDays(tenant.today, 15);
  const cancellation = { effectiveDate: day, reason: 'insured_request', source: null, method: null } as const;
  await tenant.lifecycle.cancelPolicy(tenant.command(policyId, cancellation));
  const endorse = (annualRevenueCents: number) =>
    tenant.command(policyId, { effectiveDate: day, changes: { annualRevenueCents }, reason: null });
  const commands = Array.from({ length: 20 }, (_, index) => endorse(100_100_000 + index * 100_000));
  const turns = commands.values();
  const takeTurns = async () => {
    for (const command of turns) await tenant.lifecycle.endorsePolicy(command);
  };
  await Promise.all(Array.from({ length: 5 }, takeTurns));
  const workflowId = policyWorkflowId(tenant.orgId, policyId);
  t.true((await runsOf(engine.temporal.client, workflowId)).length > 1);

  // The first command belongs to a run long gone; its update id is new to this one.
  const [first] = commands;
  await tenant.lifecycle.endorsePolicy(first!);
  const stack = await tenant.database.forOrg(tenant.orgId, (em) => policyTransactions(em, policyId));
  t.is(stack.filter(({ type }) => type === 'endorsement').length, commands.length);
  await tenant.lifecycle.advanceTestClock(tenant.command(tenant.orgId, { advanceTo: day }));
  t.is((await tenant.database.forOrg(tenant.orgId, (em) => findPolicy(em, policyId)))?.status, 'cancelled');
});
