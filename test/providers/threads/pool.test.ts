// A pool's threads: none is left behind, none is reused after something it should not survive, and a task is not done
// once its caller has stopped waiting.
import test from 'ava';
import type { DomainError } from '../../../domain/errors.ts';
import { createThreadPool, ThreadFault, type ThreadPoolPlan } from '../../../providers/threads/pool.ts';
import { eventually } from '../../support/eventually.ts';
import type { Trial } from './trial-thread.ts';

const LIMITS = { threads: 1, waiting: 5, timeoutMs: 20_000, heapMb: 64, memoryMb: 128 };

function poolOf(changes: Partial<ThreadPoolPlan<Trial>> = {}) {
  const pool = createThreadPool<Trial>({
    entry: new URL('./trial-thread.ts', import.meta.url),
    limits: LIMITS,
    busy: 'Too many trials.',
    survivesRefusalOf: ({ kind }) => kind === 'refuse',
    ...changes,
  });
  const run = (task: Trial) => pool.run(async () => ({ task }));
  return { run, close: () => pool.close() };
}

const refusalOf = async (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: DomainError) => error.code,
  );

test('a thread goes on after a refusal only where its kind of task lets it', async (t) => {
  const { run, close } = poolOf();
  const first = await run({ kind: 'name' });
  t.is(await refusalOf(run({ kind: 'refuse' })), 'validation_failed');
  t.is(await run({ kind: 'name' }), first);
  t.is(await refusalOf(run({ kind: 'refuse_file' })), 'validation_failed');
  t.not(await run({ kind: 'name' }), first);
  await close();
});

test('a mistake of ours says where it was made and nothing that it quotes, and its thread ends', async (t) => {
  const { run, close } = poolOf();
  const first = await run({ kind: 'name' });
  const fault = await t.throwsAsync<ThreadFault>(run({ kind: 'fail' }), { instanceOf: ThreadFault });
  t.is(fault?.reason, 'failed');
  t.regex(fault?.stack ?? '', /^ThreadFault: TypeError\n\s+at .*trial-thread\.ts/);
  t.false(fault?.stack?.includes('Jane Doe'));
  t.not(await run({ kind: 'name' }), first);
  await close();
});

test('a task that cannot be sent leaves its thread to nobody and its turn to the next', async (t) => {
  const { run, close } = poolOf();
  const first = await run({ kind: 'name' });
  await t.throwsAsync(run({ kind: 'name', extra: () => {} } as never), { name: 'DataCloneError' });
  t.not(await run({ kind: 'name' }), first);
  await close();
});

test('a task delayed by a busy machine is distinguished from one that used its time', async (t) => {
  const { run, close } = poolOf({ limits: { ...LIMITS, timeoutMs: 2_000 } });
  const reasonOf = async (kind: 'starve' | 'spin' | 'rest') => {
    // A thread's startup time does not count.
    await run({ kind: 'name' });
    return (await t.throwsAsync<ThreadFault>(run({ kind, ms: 60_000 }), { instanceOf: ThreadFault }))?.reason;
  };
  // A thread that does not report in time how much processor time it had counts as one that used its time.
  await eventually(async () => (await reasonOf('starve')) === 'machine_busy', { what: 'a thread known as starved' });
  t.is(await reasonOf('spin'), 'took_too_long');
  t.is(await reasonOf('rest'), 'took_too_long', 'it waits for nothing');
  await close();
});

test('a task whose caller does not wait any more is not done', async (t) => {
  let leftMs = 20;
  const { run, close } = poolOf({ remainingMs: () => leftMs });
  const done: Promise<unknown>[] = [run({ kind: 'spin', ms: 500 })];
  const late = refusalOf(run({ kind: 'name' }));
  t.is(await Promise.race([late, ...done]), 'service_unavailable');
  leftMs = 0;
  t.is(await refusalOf(run({ kind: 'name' })), 'service_unavailable');
  await Promise.all(done);
  leftMs = Number.POSITIVE_INFINITY;
  t.truthy(await run({ kind: 'name' }));
  await close();
});

test('a pool that is closed ends running tasks, refuses waiting ones, and takes no more', async (t) => {
  const { run, close } = poolOf();
  await run({ kind: 'name' });
  const [running, waiting] = [refusalOf(run({ kind: 'spin', ms: 60_000 })), refusalOf(run({ kind: 'name' }))];
  await close();
  t.deepEqual(await Promise.all([running, waiting]), ['service_unavailable', 'service_unavailable']);
  t.is(await refusalOf(run({ kind: 'name' })), 'service_unavailable');
});
