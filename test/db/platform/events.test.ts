import { setImmediate } from 'node:timers/promises';
import anyTest, { type TestFn } from 'ava';
import { newId } from '../../../db/ids.ts';
import { writeNewRows } from '../../../db/new-rows.ts';
import type { Database } from '../../../db/orm.ts';
import { eventsAfter, listEvents, writeEvent } from '../../../db/queries/platform/events.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { addOrganization, type DatabaseContext, withDatabase } from '../rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

/** An open transaction that has read, and writes an event and commits on demand. */
async function openTransaction(database: Database, orgId: string) {
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const done = database.transaction(orgId, async (em) => {
    await em.execute('select pg_current_xact_id()');
    begun.resolve();
    await go.promise;
    return writeEvent(em, 'webhook.test', {}).id;
  });
  await begun.promise;
  return {
    commit: () => {
      go.resolve();
      return done;
    },
  };
}

const writeOne = (database: Database, orgId: string) =>
  database.transaction(orgId, async (em) => writeEvent(em, 'webhook.test', {}).id);

const idsAfter = (database: Database, orgId: string, after: string, limit = 100) =>
  database.forOrg(orgId, async (em) => (await eventsAfter(em, after, { limit })).data.map(({ id }) => id));

/** Polls as a client does until that many events have arrived. */
async function poll(database: Database, orgId: string, after: string, count: number): Promise<string[]> {
  const seen: string[] = [];
  const deadlineMs = Date.now() + PATIENCE_MS;
  while (seen.length < count && Date.now() < deadlineMs) {
    seen.push(...(await idsAfter(database, orgId, seen.at(-1) ?? after)));
    await setImmediate();
  }
  return seen;
}

test('a poller never skips an event whose transaction began earlier and commits later', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const start = await writeOne(database, orgId);
  const slow = await openTransaction(database, orgId);
  const quick = await writeOne(database, orgId);
  t.deepEqual(await idsAfter(database, orgId, start), [quick]);
  const late = await slow.commit();
  t.deepEqual(await idsAfter(database, orgId, quick), [late]);
  t.deepEqual(await idsAfter(database, orgId, start), [quick, late]);
});

test('a transaction that writes rows on its way numbers its events at its end, so that it locks nothing after them', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const start = await writeOne(database, orgId);
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const slow = database.transaction(orgId, async (em) => {
    const { id } = writeEvent(em, 'webhook.test', {});
    await writeNewRows(em);
    begun.resolve();
    await go.promise;
    return id;
  });
  await begun.promise;
  const quick = await writeOne(database, orgId);
  go.resolve();
  const late = await slow;
  t.deepEqual(await idsAfter(database, orgId, start), [quick, late]);
});

test('a poller among 40 interleaved writers, some rolled back, sees every committed event exactly once', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const start = await writeOne(database, orgId);
  const committed: string[] = [];
  const write = (i: number) =>
    database.transaction(orgId, async (em) => {
      const first = writeEvent(em, 'webhook.test', { i });
      await em.flush();
      for (let turn = 0; turn < (i * 7) % 11; turn += 1) await em.execute('select 1');
      const second = writeEvent(em, 'webhook.test', { i });
      await em.flush();
      if (i % 4 === 0) throw new Error('rolled back');
      return [first.id, second.id];
    });
  const writers = Promise.allSettled(Array.from({ length: 40 }, (_, i) => write(i))).then((settled) => {
    for (const one of settled) if (one.status === 'fulfilled') committed.push(...one.value);
  });
  const seen = await poll(database, orgId, start, 60);
  await writers;
  t.is(committed.length, 60);
  t.deepEqual(seen.toSorted(), committed.toSorted());
});

test('a page goes on where the one before ended, also by its cursor', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const start = await writeOne(database, orgId);
  const written: string[] = [];
  for (let i = 0; i < 5; i += 1) written.push(await writeOne(database, orgId));
  t.deepEqual(await poll(database, orgId, start, 5), written);
  await database.forOrg(orgId, async (em) => {
    const first = await eventsAfter(em, start, { limit: 2 });
    const second = await eventsAfter(em, start, { limit: 2, cursor: first.nextCursor });
    const third = await eventsAfter(em, start, { limit: 2, cursor: second.nextCursor });
    const ids = [first, second, third].map(({ data }) => data.map(({ id }) => id));
    t.deepEqual(ids, [written.slice(0, 2), written.slice(2, 4), written.slice(4)]);
    t.is(third.nextCursor, null);
    t.deepEqual((await eventsAfter(em, start, { limit: 5, type: 'policy.bound' })).data, []);
  });
});

test('an event that the organization does not have is an unknown reference', async (t) => {
  const { database, orgId } = t.context;
  const foreign = await writeOne(database, await addOrganization(database));
  for (const after of [foreign, newId('event'), 'nonsense', "'"]) {
    const refused = database.forOrg(orgId, (em) => eventsAfter(em, after, { limit: 1 }));
    const error = await t.throwsAsync(refused);
    t.like(error, { code: 'validation_failed', details: { field: 'after', rule: 'unknown_reference' } });
  }
});

test('the list shows events newest first, each as soon as it is committed, and can be confined to a type', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const test1 = await writeOne(database, orgId);
  const open = await openTransaction(database, orgId);
  const test2 = await writeOne(database, orgId);
  const list = (type?: string) =>
    database.forOrg(orgId, async (em) => (await listEvents(em, { type }, { limit: 10 })).data.map(({ id }) => id));
  t.deepEqual(await list(), [test2, test1]);
  const test3 = await open.commit();
  t.deepEqual(await list('webhook.test'), [test3, test2, test1]);
  t.deepEqual(await list('policy.bound'), []);
});
