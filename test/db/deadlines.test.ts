// A call never hangs beyond its caller's wait: whatever the database is stuck on, the deadline ends it. The pool's own
// limits are set so wide here that nothing but the deadline can.
import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { offTheClock, remainingMs, withinDeadline } from '../../db/deadline.ts';
import { isUnavailable } from '../../db/faults.ts';
import { connectDatabase, type Database } from '../../db/orm.ts';
import { lockOrganization } from '../../db/queries/platform/organizations.ts';
import { eventually } from '../support/eventually.ts';
import { silentLogger } from '../support/logger.ts';
import { STORY_MS } from '../support/patience.ts';
import { startProxy } from '../support/servers/proxy.ts';
import { overTcp } from '../support/servers/servers.ts';
import { type DatabaseContext, withDatabase } from './rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

const DEADLINE_MS = 300;
const ENDLESS = {
  ...{ acquireTimeoutMs: STORY_MS, statementTimeoutMs: STORY_MS, lockTimeoutMs: STORY_MS },
  ...{ idleInTransactionTimeoutMs: STORY_MS, silenceTimeoutMs: STORY_MS },
};

/** A database behind a line that can be frozen, with no time limits of its own. */
async function boundless(t: ExecutionContext<DatabaseContext>, poolSize: number) {
  const { appUrl, opsUrl } = t.context.urls;
  const proxy = await startProxy(Number(new URL(appUrl).port));
  const behind = (url: string) => overTcp(url, proxy.port);
  const urls = { appUrl: behind(appUrl), opsUrl: behind(opsUrl) };
  const database = await connectDatabase({ ...urls, poolSize, logger: silentLogger, timeouts: ENDLESS });
  t.teardown(async () => {
    proxy.thaw();
    await database.close();
    proxy.close();
  });
  return { database, proxy };
}

const ask = (database: Database, orgId: string) => database.forOrg(orgId, (em) => em.execute('select 1 as one'));

async function endsInTime(t: ExecutionContext<DatabaseContext>, work: () => Promise<unknown>, what: string) {
  const ended: PromiseSettledResult<unknown>[] = [];
  void Promise.allSettled([withinDeadline(DEADLINE_MS, work)]).then((results) => ended.push(...results));
  const [result] = await eventually(() => ended.length > 0 && ended, { what });
  t.true(result?.status === 'rejected' && isUnavailable(result.reason), `${what}: ${JSON.stringify(result)}`);
}

test('a frozen server is given up at the deadline: a statement, a transaction, a connection, a place in the pool', async (t) => {
  const { orgId } = t.context;
  const { database, proxy } = await boundless(t, 2);
  await ask(database, orgId);
  let isFrozen = false;
  const inTransaction = () =>
    database.transaction(orgId, async (em) => {
      await em.execute('select 1');
      proxy.freeze();
      isFrozen = true;
      await em.execute('select 1');
    });
  // On a busy machine the deadline may pass before the transaction has begun.
  const endsFrozen = async () => {
    await endsInTime(t, inTransaction, 'in a transaction');
    return isFrozen;
  };
  await eventually(endsFrozen, { what: 'a transaction that began before its deadline' });
  await endsInTime(t, () => ask(database, orgId), 'on a new connection');
  await endsInTime(t, () => Promise.all(Array.from({ length: 6 }, () => ask(database, orgId))), 'waiting for a place');
  await endsInTime(t, () => database.acrossOrgs('test', (em) => em.execute('select 1')), 'across organizations');
  proxy.thaw();
  const answers = await Promise.all(Array.from({ length: 4 }, () => ask(database, orgId)));
  t.deepEqual(answers, Array(4).fill([{ one: 1 }]));
  proxy.freeze();
  await endsInTime(t, () => ask(database, orgId), 'on a connection that stood');
  proxy.thaw();
  t.deepEqual(await ask(database, orgId), [{ one: 1 }]);
});

test('a slow statement, a lock and idleness in a transaction end at the deadline, and the server leaves the work', async (t) => {
  const { orgId } = t.context;
  const { database } = await boundless(t, 2);
  await endsInTime(t, () => database.forOrg(orgId, (em) => em.execute('select pg_sleep(3600)')), 'a slow statement');
  await t.context.database.transaction(orgId, async (holder) => {
    await lockOrganization(holder, orgId);
    await endsInTime(t, () => database.transaction(orgId, (em) => lockOrganization(em, orgId)), 'a lock');
  });
  const idle = database.transaction.bind(database, orgId, async (em) => {
    await em.execute('select 1');
    await eventually(() => remainingMs() <= 0, { what: 'the deadline' });
    await em.execute('select 1');
  });
  await endsInTime(t, idle, 'idleness');
  const atWork = () =>
    t.context.database.forOrg(orgId, (em) =>
      em.execute(`select 1 from pg_stat_activity where datname = current_database() and query like '%pg_sleep(3600)%'
        and pid <> pg_backend_pid() and state = 'active'`),
    );
  await eventually(async () => (await atWork()).length === 0, { what: 'the server to leave the statement' });
  t.deepEqual(await ask(database, orgId), [{ one: 1 }]);
});

test('nothing starts after the deadline, and work that nobody waits for any more has none', async (t) => {
  const { orgId, database } = t.context;
  const goOn = Promise.withResolvers<void>();
  let later: Promise<unknown> = Promise.resolve();
  await withinDeadline(1, async () => {
    await eventually(() => remainingMs() <= 0, { what: 'the deadline' });
    t.true(isUnavailable(await t.throwsAsync(ask(database, orgId))));
    later = goOn.promise.then(() => ask(database, orgId));
  });
  goOn.resolve();
  t.deepEqual(await later, [{ one: 1 }]);
  t.is(remainingMs(), Number.POSITIVE_INFINITY);
});

test('work whose length the caller decides moves the deadline, and an inner deadline replaces the outer', async (t) => {
  await withinDeadline(DEADLINE_MS, async () => {
    const before = remainingMs();
    await offTheClock(() => eventually(() => remainingMs() <= 0, { what: 'the deadline' }));
    t.true(remainingMs() > 0 && remainingMs() <= before);
    await withinDeadline(STORY_MS, async () => t.true(remainingMs() > DEADLINE_MS));
    t.true(remainingMs() <= DEADLINE_MS);
  });
});
