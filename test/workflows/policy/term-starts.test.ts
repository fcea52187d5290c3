// A new term's workflow starts after the answer. One whose start was lost is found, and its scheduled dates still
// happen.
import test from 'ava';
import { type Activities, createActivities } from '../../../activities/create-activities.ts';
import type { HealingResult } from '../../../contracts/machinery/healing.ts';
import { queueBeside } from '../../../contracts/machinery/queues.ts';
import { policyWorkflowId, submissionWorkflowId, WORKFLOW_TYPES } from '../../../contracts/machinery/start.ts';
import { newId } from '../../../db/ids.ts';
import { findPolicy } from '../../../db/queries/policy/policies.ts';
import { addDays } from '../../../domain/dates.ts';
import { loneDeps } from '../../activities/lone-deps.ts';
import { STORY_MS } from '../../support/patience.ts';
import { type Engine, startEngine } from '../engine.ts';

const IN_FULL = { installmentPlan: 'PAY_IN_FULL', quoteId: null } as const;
/** From `temporal.api.enums.v1.EventType`. */
const SEARCH_ATTRIBUTES_UPSERTED = 40;

let engine: Engine;
/** A worker that dies after the commit, before it requests the workflow's start. */
let dying: Activities | null = null;

test.before(async (t) => {
  engine = await startEngine(t, {
    interfere: (activity, run, argument) =>
      dying && activity === 'bindPolicy' ? dying.bindPolicy(argument as never) : run(),
  });
});

const isRunning = (policyId: string) =>
  engine.temporal.client.workflow
    .getHandle(policyWorkflowId(engine.orgId, policyId))
    .describe()
    .then(
      ({ status }) => status.name === 'RUNNING',
      () => false,
    );

test.serial('a term whose worker died between commit and start is found by healing, and its dates come', async (t) => {
  t.timeout(STORY_MS);
  const { orgId, database, lifecycle, command, today } = engine;
  const effectiveDate = addDays(today, 10);
  const submissionId = await engine.quoted({ effectiveDate });
  dying = createActivities(loneDeps(database));
  const { policyId } = await lifecycle.bindSubmission(command(submissionId, IN_FULL));
  dying = null;
  const submission = engine.temporal.client.workflow.getHandle(submissionWorkflowId(orgId, submissionId));
  await submission.result();
  t.false(await isRunning(policyId));

  const { workflowIds } = (await engine.temporal.client.workflow.execute(WORKFLOW_TYPES.healing, {
    workflowId: `healing/${newId('request')}`,
    taskQueue: queueBeside(engine.queue, 'batch'),
    args: [{ orgId }],
  })) as HealingResult;
  t.true(workflowIds.includes(policyWorkflowId(orgId, policyId)));
  t.true(await isRunning(policyId));
  await lifecycle.advanceTestClock(command(orgId, { advanceTo: effectiveDate }));
  t.is((await database.forOrg(orgId, (em) => findPolicy(em, policyId)))?.status, 'active');
});

test.serial(
  'a workflow that ends with its command writes once for the list of workflows: the status with which it ended',
  async (t) => {
    t.timeout(STORY_MS);
    const submissionId = await engine.quoted();
    await engine.lifecycle.bindSubmission(engine.command(submissionId, IN_FULL));
    const handle = engine.temporal.client.workflow.getHandle(submissionWorkflowId(engine.orgId, submissionId));
    await handle.result();
    const { events } = await handle.fetchHistory();
    const types = (events ?? []).map(({ eventType }) => eventType);
    const bound = (events ?? []).findLastIndex((event) => event.workflowExecutionUpdateAcceptedEventAttributes);
    t.true(bound > 0);
    t.is(types.slice(bound).filter((type) => type === SEARCH_ATTRIBUTES_UPSERTED).length, 1);
  },
);
