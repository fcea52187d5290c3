// Rate counters shared by several processes. BINDERY_TEST_KV_CACHE names a real Valkey or Redis to test with.
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import test from 'ava';
import { createRateLimiter, type RateLimiter } from '../../http/rate-counters.ts';
import { eventually } from '../support/eventually.ts';
import { silentLogger } from '../support/logger.ts';
import { startKvStandIn } from './kv-stand-in.ts';

const PER_MINUTE = 4;

/** Two processes as far as counting goes; their keys do not collide with those of other runs. */
function twoProcesses(t: { teardown: (work: () => unknown) => void }, kvCache: string | null, logger = silentLogger) {
  const run = randomUUID();
  const limiters = [createRateLimiter({ kvCache, logger }), createRateLimiter({ kvCache, logger })] as const;
  t.teardown(() => Promise.all(limiters.map((limiter) => limiter.close())));
  const remaining = async (limiter: RateLimiter, key: string) => {
    const { remaining: left, exceeded } = await limiter.count({ key: `${key} ${run}`, perMinute: PER_MINUTE });
    return exceeded ? 'exceeded' : left;
  };
  return { limiters, remaining };
}

/** Whether one process sees what the other counts; uses up a key. */
function isShared({ limiters: [one, other], remaining }: ReturnType<typeof twoProcesses>) {
  return async () => {
    const key = randomUUID();
    await remaining(one, key);
    return (await remaining(other, key)) === PER_MINUTE - 2;
  };
}

test('all processes count together with a store, each key by itself', async (t) => {
  const real = process.env.BINDERY_TEST_KV_CACHE;
  const standIn = real === undefined ? await startKvStandIn() : null;
  t.teardown(() => standIn?.stop());
  const processes = twoProcesses(t, real ?? standIn?.url ?? null);
  const { limiters, remaining } = processes;
  await eventually(isShared(processes), { what: 'both to be connected' });
  const [one, other] = limiters;
  // If the store answers a process late, that process correctly counts on its own: then the test counts another
  // caller.
  let seen: unknown[] = [];
  const areCounted = async () => {
    const caller = randomUUID();
    seen = [];
    for (const limiter of [one, other, one, other, one, other]) seen.push(await remaining(limiter, caller));
    return isDeepStrictEqual(seen, [3, 2, 1, 0, 'exceeded', 'exceeded']);
  };
  await eventually(areCounted, { what: 'a caller who is counted by both' }).catch(() => t.fail(`${seen}`));
  t.is(await remaining(one, 'another caller'), 3);
  const { msToReset } = await one.count({ key: randomUUID(), perMinute: PER_MINUTE });
  t.true(msToReset > 58_000 && msToReset <= 60_000, 'the window is a minute');
});

test('each process counts for itself without a store', async (t) => {
  const { limiters, remaining } = twoProcesses(t, null);
  t.deepEqual(await Promise.all(limiters.map((limiter) => remaining(limiter, 'caller'))), [3, 3]);
});

test('nobody is refused while the store is down, the log says so once, and it is used again when it is back', async (t) => {
  const standIn = await startKvStandIn();
  t.teardown(() => standIn.stop());
  const logged: string[] = [];
  const log = (_: object | string, message?: string) => void logged.push(message ?? String(_));
  const logger = { ...silentLogger, warn: log, info: log } as unknown as typeof silentLogger;
  const processes = twoProcesses(t, standIn.url, logger);
  const { limiters, remaining } = processes;
  await eventually(isShared(processes), { what: 'both to be connected' });
  await standIn.stop();
  for (const limiter of limiters) {
    t.deepEqual(
      [await remaining(limiter, 'away'), await remaining(limiter, 'away')],
      [3, 2],
      'each counts for itself, and limits all the same',
    );
  }
  await eventually(async () => logged.length >= limiters.length, { what: 'the log' });
  await standIn.start();
  await eventually(isShared(processes), { what: 'the store to be used again' });
  const away = 'the shared rate counters are unavailable: this process counts for itself';
  const back = 'the shared rate counters are back';
  t.deepEqual(logged.toSorted(), [back, back, away, away]);
});
