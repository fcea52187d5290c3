// Today's workflow code against what workflows did before: a history that does not replay is a run that would get
// stuck.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import test from 'ava';
import * as workflows from '../../workflows/index.ts';
import { workflowBundle } from '../support/workflow-bundle.ts';

const FOLDER = join(import.meta.dirname, '../histories');

interface Captured {
  workflowId: string;
  history: { events: { workflowExecutionStartedEventAttributes?: { workflowType: { name: string } } }[] };
}

const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
const read = (file: string): Captured => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
const typeOf = ({ history }: Captured) => history.events[0]?.workflowExecutionStartedEventAttributes?.workflowType.name;

Runtime.install({ logger: new DefaultLogger('ERROR') });

test('every type of workflow that a worker knows has a history that is replayed', (t) => {
  const guarded = new Set(files.map((file) => typeOf(read(file))));
  t.deepEqual(
    Object.keys(workflows).filter((type) => !guarded.has(type)),
    [],
  );
});

for (const file of files) {
  test(`${file} replays with the workflow code of today`, async (t) => {
    const { workflowId, history } = read(file);
    await Worker.runReplayHistory({ workflowBundle: await workflowBundle() }, historyFromJSON(history), workflowId);
    t.pass();
  });
}

test('a history in which another step was taken does not replay', async (t) => {
  const { workflowId, history } = read('policy-changed-ended.json');
  const changed = JSON.parse(JSON.stringify(history).replaceAll('"refundWorkflow"', '"claimWorkflow"'));
  t.notDeepEqual(changed, history);
  await t.throwsAsync(
    Worker.runReplayHistory({ workflowBundle: await workflowBundle() }, historyFromJSON(changed), workflowId),
    { name: 'DeterminismViolationError' },
  );
});
