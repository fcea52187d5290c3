// While Valkey or Redis is away, nothing proceeds without it: every call fails promptly with 503, and later calls
// succeed once it is back.
import { createServer, type Socket } from 'node:net';
import test from 'ava';
import { Redis } from 'iovalkey';
import { createKvStore } from '../../providers/kv.ts';
import type { KvStore } from '../../providers/ports.ts';
import { eventually } from '../support/eventually.ts';
import { silentLogger } from '../support/logger.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { canStartValkey, NO_VALKEY, startValkey } from '../support/servers/valkey.ts';

/** Nothing listens there. */
const NOWHERE = 'redis://127.0.0.1:1';
/** More than a call may take, and less than a caller would tolerate. */
const BOUND_MS = PATIENCE_MS / 6;

const CALLS_UNDER_WAY = 50;
const AWAY = 'the key-value store is unavailable: what needs it answers 503';

const table = {} as KvStore;

function open(t: { teardown: (work: () => unknown) => void }, kvCache: string) {
  const logged: string[] = [];
  const log = (_: object | string, message?: string) => void logged.push(message ?? String(_));
  const logger = { ...silentLogger, error: log, warn: log, info: log } as unknown as typeof silentLogger;
  const store = createKvStore({ kvCache, table, logger });
  t.teardown(() => store.close());
  return { store, logged };
}

const CALLS: Record<string, (store: KvStore) => Promise<unknown>> = {
  put: (store) => store.put('key', 1, 60),
  read: (store) => store.read('key'),
  take: (store) => store.take('key'),
  takeWithHash: (store) => store.takeWithHash('key', 'hash'),
  forget: (store) => store.forget('key'),
  countAttempt: (store) => store.countAttempt('counter', 60),
  countWithin: (store) => store.countWithin([{ key: 'counter', most: 5, windowSeconds: 60 }]),
  claim: (store) => store.claim('claimed', 1, 60),
  giveBack: (store) => store.giveBack('key', 1),
};

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

/** The code of a refusal, or `done`. */
const outcome = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );

async function refusals(store: KvStore): Promise<object> {
  const outcomes = Object.entries(CALLS).map(async ([name, call]) => {
    const outcome = await call(store).then(
      () => 'done',
      (error: { code?: string; details?: object }) => ({ code: error.code, ...error.details }),
    );
    return [name, outcome];
  });
  return Object.fromEntries(await Promise.all(outcomes));
}

const ALL_AWAY = Object.fromEntries(
  Object.keys(CALLS).map((name) => [name, { code: 'service_unavailable', retryAfterSeconds: 2 }]),
);

test('every call is refused as unavailable where nothing listens, and the log says so', async (t) => {
  const { store, logged } = open(t, NOWHERE);
  t.deepEqual(await refusals(store), ALL_AWAY);
  t.is(logged.filter((line) => line === AWAY).length, 1);
});

test('a store that takes connections and never responds is refused as unavailable in bounded time', async (t) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { store } = open(t, `redis://127.0.0.1:${(server.address() as { port: number }).port}`);
  const began = performance.now();
  t.deepEqual(await refusals(store), ALL_AWAY);
  t.true(performance.now() - began < BOUND_MS);
});

const withServer = canStartValkey ? test : test.skip;
const where = canStartValkey ? '' : ` (${NO_VALKEY})`;

withServer(`the first call of a process waits for the connection${where}`, async (t) => {
  const server = await startValkey();
  t.teardown(server.stop);
  const { store } = open(t, server.url);
  t.deepEqual(await store.claim('first', 1, 60), { claimed: true });
});

withServer(`a store that goes away refuses, and serves again when it is back${where}`, async (t) => {
  const server = await startValkey();
  t.teardown(server.stop);
  const { store, logged } = open(t, server.url);
  await store.put('key', 1, 60);
  await server.stop();
  t.deepEqual(await refusals(store), ALL_AWAY);
  await eventually(async () => logged.includes(AWAY), { what: 'the log' });
  t.deepEqual(await refusals(store), ALL_AWAY);
  await server.start();
  const isBack = () =>
    store.read('key').then(
      () => true,
      () => false,
    );
  await eventually(isBack, { what: 'the store to be used again' });
  t.is(await store.read('key'), null, 'what a call that failed was to do is not done later');
  t.is(await store.read('counter'), null);
  t.true(logged.includes('the key-value store is back'));
});

withServer(`calls that are under way when the connection breaks are refused and not sent again${where}`, async (t) => {
  const server = await startValkey();
  t.teardown(server.stop);
  const { store } = open(t, server.url);
  const operator = new Redis(server.url, { retryStrategy: () => null });
  await store.put('key', 1, 60);
  await operator.client('PAUSE', 60_000, 'WRITE');
  operator.disconnect();
  const underWay = Promise.all(upTo(CALLS_UNDER_WAY).map(() => outcome(store.countAttempt('broken', 60))));
  await server.stop();
  t.deepEqual([...new Set(await underWay)], ['service_unavailable']);
  await server.start();
  const counted = await eventually(() => store.countAttempt('broken', 60).catch(() => null), { what: 'the store' });
  t.is(counted.count, 1);
});

withServer(`a call whose answer does not come is refused in bounded time${where}`, async (t) => {
  const server = await startValkey();
  t.teardown(server.stop);
  const { store } = open(t, server.url);
  const operator = new Redis(server.url);
  t.teardown(() => operator.disconnect());
  await store.put('key', 1, 60);
  await operator.client('PAUSE', 60_000, 'WRITE');
  const began = performance.now();
  await t.throwsAsync(() => store.claim('slow', 1, 60), { code: 'service_unavailable' });
  t.true(performance.now() - began < BOUND_MS);
  await operator.client('UNPAUSE');
  t.true((await eventually(() => store.claim('next', 1, 60).catch(() => null), { what: 'the store' })).claimed);
});

withServer(
  `an answer that says the store cannot write now is 503, and a mistake of ours is none${where}`,
  async (t) => {
    const server = await startValkey();
    t.teardown(server.stop);
    const { store } = open(t, server.url);
    const operator = new Redis(server.url);
    t.teardown(() => operator.disconnect());
    await store.put('text', 'text', 60);
    const mistake = await t.throwsAsync(() => store.countAttempt('text', 60), { message: /not an integer/ });
    t.not((mistake as { code?: string }).code, 'service_unavailable');
    await operator.config('SET', 'maxmemory', '1');
    await t.throwsAsync(() => store.countAttempt('new', 60), { code: 'service_unavailable' });
    t.is(await store.read('text'), 'text', 'reading goes on');
    await operator.config('SET', 'maxmemory', '0');
    t.is((await store.countAttempt('new', 60)).count, 1);
  },
);
