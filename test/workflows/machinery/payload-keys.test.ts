// Payload keys under long-running workflows: a key is replaced without downtime, and a missing one stops work but
// loses nothing.
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import test from 'ava';
import { createLifecycle } from '../../../api/engine/lifecycle.ts';
import { connectTemporal } from '../../../api/engine/temporal.ts';
import { payloadKeysIn } from '../../../config/temporal.ts';
import { submissionWorkflowId } from '../../../contracts/machinery/start.ts';
import { eventually } from '../../support/eventually.ts';
import { silentLogger } from '../../support/logger.ts';
import { payloadKey, TEST_PAYLOAD_KEYS } from '../../support/payload-keys.ts';
import { TEMPORAL_VARIABLE } from '../../support/servers/servers.ts';
import { startEngine } from '../engine.ts';

test('a key is replaced under a workflow that lives on, by a worker and an api that know both', async (t) => {
  const engine = await startEngine(t);
  const submissionId = await engine.created();
  await engine.stopWorker();
  const both = payloadKeysIn(`${payloadKey('next')},${TEST_PAYLOAD_KEYS}`);
  await engine.startWorker(both);
  const link = await connectTemporal({
    temporalAddress: process.env[TEMPORAL_VARIABLE] ?? '127.0.0.1:7233',
    ...{ temporalNamespace: 'default', temporalSecurity: {}, payloadKeys: both },
  });
  const { client, availability } = link;
  const lifecycle = createLifecycle({ client, availability, taskQueue: engine.queue, logger: silentLogger });
  await lifecycle.quoteSubmission(engine.command(submissionId, {}));
  const handle = client.workflow.getHandle(submissionWorkflowId(engine.orgId, submissionId));
  const stored = historyToJSON(await handle.fetchHistory());
  for (const id of ['next', 'of-the-tests']) t.true(stored.includes(Buffer.from(id).toString('base64')), id);
  await link.close();
});

test('a workflow without the key waits with its task failing, and goes on when the key is there', async (t) => {
  const engine = await startEngine(t);
  const submissionId = await engine.created();
  await engine.stopWorker();
  await engine.startWorker(payloadKeysIn(payloadKey('another')));
  const quote = engine.lifecycle.quoteSubmission(engine.command(submissionId, {}));
  const handle = engine.temporal.client.workflow.getHandle(submissionWorkflowId(engine.orgId, submissionId));
  const messages = await eventually(
    async () => {
      const { raw } = await handle.describe();
      const { events } = await handle.fetchHistory();
      const failed = events?.filter((event) => event.workflowTaskFailedEventAttributes) ?? [];
      const text = JSON.stringify([raw.pendingWorkflowTask, failed]);
      return failed.length > 0 || Number(raw.pendingWorkflowTask?.attempt ?? 0) > 1 ? text : null;
    },
    { what: 'a task to fail' },
  );
  t.notRegex(messages, /Diner/);
  await engine.stopWorker();
  await engine.startWorker();
  await t.notThrowsAsync(quote);
});
