// A worker that dies after each delinquency step, between its transaction and its answer.
import { ApplicationFailure } from '@temporalio/common';
import test from 'ava';
import { findPolicy, policyTransactions } from '../../../db/queries/policy/policies.ts';
import { addDays } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { type Engine, startEngine } from '../engine.ts';
import { bindNew } from '../run-engine.ts';

let engine: Engine;
/** Runs of each activity that die. */
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
  const { policyId } = await bindNew(engine, tenant, { insuredEmail: 'owner@diner.test' });
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
  // A step runs once more if the server did not hear in time that it had run.
  await eventually(async () => (runs.sendNotice ?? 0) >= 6, { what: 'each of three e-mails to be tried twice' });
  t.true((runs.takeDelinquencyStep ?? 0) >= 6);
  t.is(engine.providers.mails.length, 3);
  t.is(new Set(engine.providers.mails.map(({ messageId }) => messageId)).size, 3);
});
