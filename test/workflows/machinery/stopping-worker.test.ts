// A worker that is stopped while it waits for a workflow: it would be waiting for itself.
import test from 'ava';
import { policyWorkflowId, WORKFLOW_TYPES } from '../../../contracts/machinery/start.ts';
import { addDays } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { startEngine } from '../engine.ts';
import { bindNew } from '../run-engine.ts';

const WALK = 'walkTestClock';

test('a worker that waits for a workflow is stopped all the same, and the next one does the work to its end', async (t) => {
  const started: string[] = [];
  const engine = await startEngine(t, {
    interfere: (activity, run) => {
      started.push(activity);
      return run();
    },
  });
  const { orgId, lifecycle, command, today, temporal } = engine;
  const { workflow } = temporal.client;
  const { policyId } = await bindNew(engine, engine);

  // No worker serves this policy's queue, so the clock's walk waits for it.
  const workflowId = policyWorkflowId(orgId, policyId);
  await workflow.getHandle(workflowId).terminate('it is to run where nobody serves it');
  const unserved = await workflow.start(WORKFLOW_TYPES.policy, {
    ...{ workflowId, taskQueue: `${engine.queue}-unserved`, args: [{ orgId, policyId }] },
  });
  const advanceTo = addDays(today, 11);
  const walked = lifecycle.advanceTestClock(command(orgId, { advanceTo }));
  await eventually(() => started.includes(WALK), { what: 'the walk' });
  await t.notThrowsAsync(engine.stopWorker());

  await unserved.terminate('it is to run where it is served');
  await engine.startWorker();
  t.deepEqual(await walked, { date: advanceTo });
});
