// A policy changed far more often than any real one: nothing grows without bound, and no change is lost.
import test from 'ava';
import { policyWorkflowId } from '../../../contracts/machinery/start.ts';
import { findPolicy, policyTransactions, presentTransactions } from '../../../db/queries/policy/policies.ts';
import { addDays } from '../../../domain/dates.ts';
import { sumCents } from '../../../domain/money.ts';
import { STORY_MS } from '../../support/patience.ts';
import { type Engine, startEngine } from '../engine.ts';
import { bindNew } from '../run-engine.ts';
import { runsOf } from '../runs-of.ts';

const CHANGES = 500;
/** Where Temporal itself would suggest continue-as-new. */
const MOST_EVENTS = 4_096;

let engine: Engine;

test.before(async (t) => {
  engine = await startEngine(t);
});

test('a policy with 500 changes keeps every change, and no run of its workflow reaches 4,096 events', async (t) => {
  t.timeout(STORY_MS);
  const { orgId, lifecycle, today } = engine;
  const effectiveDate = addDays(today, 10);
  const { policyId } = await bindNew(engine, engine, { effectiveDate });
  // Revenue goes up by a tenth and back down.
  for (let i = 0; i < CHANGES; i += 1) {
    const annualRevenueCents = i % 2 === 0 ? 110_000_000 : 100_000_000;
    const change = { effectiveDate, changes: { annualRevenueCents }, reason: null };
    await lifecycle.endorsePolicy(engine.command(policyId, change));
  }
  const stack = await engine.database.forOrg(orgId, (em) => policyTransactions(em, policyId));
  t.is(stack.length, 1 + CHANGES);
  const present = await engine.database.forOrg(orgId, (em) => presentTransactions(em, policyId));
  t.deepEqual(
    present.map(({ sequence }) => sequence),
    [1, 1 + CHANGES],
    'what the next change reads of them',
  );
  const policy = await engine.database.forOrg(orgId, (em) => findPolicy(em, policyId));
  t.is(policy?.grossPremiumCents, 399_000, 'as it was written, after as many ups as downs');
  t.is(sumCents(stack.map(({ premiumChangeCents }) => premiumChangeCents)), 399_000);
  const runs = await runsOf(engine.temporal.client, policyWorkflowId(orgId, policyId));
  const events = runs.map(({ length }) => length);
  t.log(events);
  t.true(Math.max(...events) < MOST_EVENTS);
});
