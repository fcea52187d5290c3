// A worker that is stopped in the middle of a batch finishes the current policies and leaves the rest to the next
// worker.
import test from 'ava';
import { startEngine } from '../engine.ts';
import { batchOf, ended, expiringPolicies, nextTerms, startBatch, untilDone } from './renewing.ts';

test('a worker that is stopped in the middle of a batch stops, and the next one finishes the batch', async (t) => {
  const engine = await startEngine(t);
  const policies = await expiringPolicies(engine, engine, { count: 60 });
  const { batchId } = await startBatch(engine);
  await untilDone(engine, batchId, 1);
  await t.notThrowsAsync(engine.stopWorker());
  await engine.startWorker();
  await ended(engine, engine, batchId);
  t.like(await batchOf(engine, batchId), { status: 'completed', renewed: 60, failed: 0 });
  t.deepEqual(
    (await nextTerms(engine, policies)).map((terms) => terms.length),
    Array(60).fill(1),
  );
});
