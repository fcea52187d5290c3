// What the key-value store promises, stated once and tested for each adapter: the table, and Valkey or Redis. Where no
// such server is found, its half is skipped and counted as skipped.
import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { createKvTable } from '../../db/kv-store.ts';
import { connectDatabase, type Database } from '../../db/orm.ts';
import { createKvStore } from '../../providers/kv.ts';
import type { KvStore } from '../../providers/ports.ts';
import { eventually } from '../support/eventually.ts';
import { silentLogger } from '../support/logger.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { hasValkey, NO_VALKEY, testValkey } from '../support/servers/valkey.ts';

const RACERS = 20;
const LONG_SECONDS = 60;
/** Expires soon, but not before two calls of a test that runs alone. */
const SHORT_SECONDS = 5;
const DAY_SECONDS = 86_400;

type Name = 'the table' | 'Valkey or Redis';

/** Two processes as far as a store can tell. */
const stores = new Map<Name, readonly [KvStore, KvStore]>();

let database: Database;
let stopServer = async () => {};

test.before('both adapters', async (t) => {
  database = await connectDatabase({ ...(await createTestDatabase(t)), poolSize: 10, logger: silentLogger });
  const table = createKvTable(database);
  const open = (kvCache: string | null) => createKvStore({ kvCache, table, logger: silentLogger });
  stores.set('the table', [open(null), open(null)]);
  if (!hasValkey) return;
  const server = await testValkey();
  stopServer = server.stop;
  stores.set('Valkey or Redis', [open(server.url), open(server.url)]);
});
test.after.always(async () => {
  for (const pair of stores.values()) await Promise.all(pair.map((store) => store.close()));
  await Promise.all([database?.close(), stopServer()]);
});

type Sentence = (t: ExecutionContext, store: KvStore, other: KvStore) => Promise<void>;

function promises(sentence: string, hold: Sentence, declare: typeof test.serial = test): void {
  declare(`the table: ${sentence}`, (t) => hold(t, ...of('the table')));
  if (hasValkey) declare(`Valkey or Redis: ${sentence}`, (t) => hold(t, ...of('Valkey or Redis')));
  else test.skip(`Valkey or Redis (${NO_VALKEY}): ${sentence}`, (t) => t.fail());
}

function of(name: Name): readonly [KvStore, KvStore] {
  const pair = stores.get(name);
  if (pair === undefined) throw new Error(`${name} was not opened`);
  return pair;
}

/** Does the same thing twenty times simultaneously, from two processes. */
const race = <T>([one, other]: [KvStore, KvStore], act: (store: KvStore, racer: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: RACERS }, (_, racer) => act(racer % 2 === 0 ? one : other, racer)));

const isThere = (value: unknown) => value !== null;
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

promises('what one process puts another one reads, as it was', async (t, store, other) => {
  for (const value of [
    { hash: 'a', list: [], none: {}, nothing: null, 'Größe "x"\\': 'ü\u2028\n' },
    [1, [2, { three: 0.1 }], 1_795_000_000_999, Number.MAX_SAFE_INTEGER],
    'text',
    '',
    0,
    false,
  ]) {
    const key = randomUUID();
    await store.put(key, value, LONG_SECONDS);
    t.deepEqual(await other.read(key), value);
    t.deepEqual(await other.read(key), value, 'reading leaves it there');
  }
});

promises('a key that was never put, or was forgotten, holds nothing', async (t, store, other) => {
  const key = randomUUID();
  t.is(await store.read(key), null);
  t.is(await store.take(key), null);
  t.is(await store.takeWithHash(key, ''), null);
  await store.forget(key);
  await store.put(key, 'here', LONG_SECONDS);
  await other.forget(key);
  t.is(await store.read(key), null);
});

promises('a value takes the place of an earlier one with its time', async (t, store) => {
  const key = randomUUID();
  await store.put(key, { hash: 'first' }, 1);
  await store.put(key, { hash: 'second' }, LONG_SECONDS);
  const brief = randomUUID();
  await store.put(brief, 'brief', 1);
  await eventually(async () => (await store.read(brief)) === null, { what: 'the time of the first to be over' });
  t.deepEqual(await store.read(key), { hash: 'second' });
});

promises('a value that has expired is there for nobody', async (t, store) => {
  const key = randomUUID();
  const fresh = () => store.put(key, { hash: 'a' }, 1);
  for (const ask of [() => store.read(key), () => store.take(key), () => store.takeWithHash(key, 'a')]) {
    await fresh();
    const twin = randomUUID();
    await store.put(twin, 1, 1);
    await eventually(async () => (await store.read(twin)) === null, { what: 'a second to pass' });
    t.is(await ask(), null);
  }
});

promises('of 20 takers exactly one is given the value', async (t, store, other) => {
  const key = randomUUID();
  await store.put(key, { nonce: 'n' }, LONG_SECONDS);
  const taken = await race([store, other], (each) => each.take(key));
  t.deepEqual(taken.filter(isThere), [{ nonce: 'n' }]);
  t.is(await store.read(key), null);
});

promises('of 20 who name the right hash exactly one is given the value', async (t, store, other) => {
  const key = randomUUID();
  await store.put(key, { hash: 'right' }, LONG_SECONDS);
  const taken = await race([store, other], (each) => each.takeWithHash(key, 'right'));
  t.deepEqual(taken.filter(isThere), [{ hash: 'right' }]);
});

promises('another hash takes nothing, and neither does any hash a value that has none', async (t, store) => {
  const key = randomUUID();
  await store.put(key, { hash: 'right' }, LONG_SECONDS);
  for (const hash of ['wrong', '', 'Right', 'right ']) t.is(await store.takeWithHash(key, hash), null);
  t.deepEqual(await store.read(key), { hash: 'right' });
  for (const value of [{ other: 'right' }, 'right', 7, ['right'], false]) {
    await store.put(key, value, LONG_SECONDS);
    t.is(await store.takeWithHash(key, 'right'), null);
    t.deepEqual(await store.read(key), value);
  }
});

promises('20 simultaneous counts are all distinct, and the window is that of the first', async (t, store, other) => {
  const key = randomUUID();
  t.deepEqual(await store.countAttempt(key, LONG_SECONDS), { count: 1, secondsLeft: LONG_SECONDS });
  const counted = await race([store, other], (each) => each.countAttempt(key, DAY_SECONDS));
  t.deepEqual(
    counted.map(({ count }) => count).toSorted((a, b) => a - b),
    upTo(RACERS).map((count) => count + 1),
  );
  t.true(counted.every(({ secondsLeft }) => secondsLeft > 0 && secondsLeft <= LONG_SECONDS));
  t.is(await store.read(key), RACERS + 1, 'a count is read like a value');
  await store.forget(key);
  t.is((await store.countAttempt(key, LONG_SECONDS)).count, 1);
});

promises(
  'when the window of a counter ends, counting restarts',
  async (t, store) => {
    const key = randomUUID();
    for (const count of [1, 2]) t.is((await store.countAttempt(key, SHORT_SECONDS)).count, count);
    await eventually(async () => (await store.read(key)) === null, { what: 'the window to be over' });
    t.deepEqual(await store.countAttempt(key, DAY_SECONDS), { count: 1, secondsLeft: DAY_SECONDS });
  },
  test.serial,
);

const limit = (key: string, most: number, windowSeconds = LONG_SECONDS) => ({ key, most, windowSeconds });

promises(
  'of 20 simultaneous attempts as many are counted as the limit allows, and no refused one is',
  async (t, store, other) => {
    const key = randomUUID();
    const answers = await race([store, other], (each) => each.countWithin([limit(key, 7)]));
    const counts = answers.flatMap((answer) => (answer.isWithin ? answer.counts.map(({ count }) => count) : []));
    t.deepEqual(
      counts.toSorted((a, b) => a - b),
      upTo(7),
    );
    for (const answer of answers) {
      if (!answer.isWithin) t.true(answer.secondsLeft > 0 && answer.secondsLeft <= LONG_SECONDS);
    }
    t.is(await other.read(key), 7);
    const next = await store.countWithin([limit(key, 8)]);
    t.deepEqual(next.isWithin && next.counts.map(({ count }) => count), [8]);
  },
);

promises(
  'an attempt that one limit refuses counts for none of them, even 20 simultaneous ones',
  async (t, store, other) => {
    const [client, number, day] = [randomUUID(), randomUUID(), randomUUID()];
    const limits = [limit(client, RACERS), limit(number, 3), limit(day, RACERS, DAY_SECONDS)];
    const answers = await race([store, other], (each) => each.countWithin(limits));
    t.is(answers.filter(({ isWithin }) => isWithin).length, 3);
    for (const key of [client, number, day]) t.is(await store.read(key), 3);
    const next = await other.countWithin([limit(client, RACERS), limit(day, RACERS, DAY_SECONDS)]);
    t.true(next.isWithin);
    if (next.isWithin)
      t.deepEqual(
        next.counts.map(({ count }) => count),
        [4, 4],
      );
  },
);

promises(
  'a limit that is reached opens when the window of its first count is over',
  async (t, store) => {
    const key = randomUUID();
    t.true((await store.countWithin([limit(key, 1, SHORT_SECONDS)])).isWithin);
    const refused = await store.countWithin([limit(key, 1, DAY_SECONDS)]);
    t.true(!refused.isWithin && refused.secondsLeft > 0 && refused.secondsLeft <= SHORT_SECONDS);
    const counted = await eventually(
      async () => {
        const answer = await store.countWithin([limit(key, 1)]);
        return answer.isWithin && answer;
      },
      { what: 'the window to be over' },
    );
    t.is(counted.counts[0]?.count, 1);
  },
  test.serial,
);

promises(
  'of 20 simultaneous claims of a key exactly one succeeds, and the others see its holder',
  async (t, store, other) => {
    const key = randomUUID();
    const claims = await race([store, other], (each, racer) => each.claim(key, { holder: racer }, LONG_SECONDS));
    const winner = claims.findIndex(({ claimed }) => claimed);
    t.is(claims.filter(({ claimed }) => claimed).length, 1);
    t.deepEqual(await store.read(key), { holder: winner });
    // A claim at exactly the same moment may not see the holder yet.
    for (const claim of claims) if (!claim.claimed && claim.held !== null) t.deepEqual(claim.held, { holder: winner });
    t.deepEqual(await other.claim(key, { holder: 'late' }, 1), { claimed: false, held: { holder: winner } });
  },
);

promises("a claim that has expired is anybody's", async (t, store, other) => {
  const key = randomUUID();
  await store.claim(key, 'first', 1);
  const taken = async () => (await other.claim(key, 'second', LONG_SECONDS)).claimed;
  t.true(await eventually(taken, { what: 'the claim to expire' }));
  t.is(await store.read(key), 'second');
});

promises('only its holder releases a key, and not when it holds something else by then', async (t, store, other) => {
  const key = randomUUID();
  await store.claim(key, { holder: 'first' }, LONG_SECONDS);
  await other.giveBack(key, { holder: 'second' });
  t.deepEqual(await store.read(key), { holder: 'first' });
  await store.put(key, { isDone: true }, LONG_SECONDS);
  await store.giveBack(key, { holder: 'first' });
  t.deepEqual(await store.read(key), { isDone: true });
  await store.giveBack(key, { isDone: true });
  t.is(await store.read(key), null);
});
