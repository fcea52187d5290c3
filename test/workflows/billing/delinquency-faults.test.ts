// A worker that dies after each step of delinquency, between its transaction and its answer.
import { ApplicationFailure } from '@temporalio/common';
import test from 'ava';
import { submissionWorkflowId } from '../../../contracts/machinery/start.ts';
import { findPolicy, policyTransactions } from '../../../db/queries/policy/policies.ts';
import { addDays } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { type Engine, startEngine } from '../engine.ts';

const IN_FULL = { installmentPlan: 'PAY_IN_FULL', quoteId: null } as const;

let engine: Engine;
/** Runs of each activity that dies. */
const runs: Record<string, number> = { takeDelinquencyStep: 0, sendNotice: 0 };

test.before(async (t) => {
  engine = await startEngine(t, { interfere });
});

/** Every other run is cut off after its transaction. */
async function interfere(activity: string, run: () => Promise<unknown>): Promise<unknown> {
  const outcome = await run();
  const count = runs[activity];
  if (count === undefined) return outcome;
  runs[activity] = count + 1;
  if (count % 2 === 1) return outcome;
  throw ApplicationFailure.retryable('injected', 'internal_error');
}

test('a worker that dies after every step changes nothing: the same transactions, and each mail once', async (t) => {
  const tenant = await engine.organization();
  const submissionId = await tenant.quoted({ insuredEmail: 'owner@diner.test' });
  const { policyId } = await tenant.lifecycle.bindSubmission(tenant.command(submissionId, IN_FULL));
  await engine.temporal.client.workflow.getHandle(submissionWorkflowId(tenant.orgId, submissionId)).result();
  const advanceTo = addDays(tenant.today, 31);
  await tenant.lifecycle.advanceTestClock(tenant.command(tenant.orgId, { advanceTo }));
  const read = tenant.database.forOrg(tenant.orgId, async (em) => ({
    policy: await findPolicy(em, policyId),
    stack: await policyTransactions(em, policyId),
  }));
  const { policy, stack } = await read;
  t.like(policy, { status: 'lapsed', cancellation: { effectiveDate: advanceTo } });
  t.deepEqual(
    stack.map(({ type }) => type),
    ['new_business', 'cancellation'],
  );
  await eventually(async () => runs.sendNotice === 6, { what: 'each of three e-mails to be tried twice' });
  t.is(runs.takeDelinquencyStep, 6);
  t.is(engine.providers.mails.length, 3);
  t.is(new Set(engine.providers.mails.map(({ messageId }) => messageId)).size, 3);
});
