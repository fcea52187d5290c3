import anyTest, { type TestFn } from 'ava';
import { writeLastRows } from '../../db/new-rows.ts';
import type { Database } from '../../db/orm.ts';
import { writeEvent } from '../../db/queries/platform/events.ts';
import { claimKey } from '../../db/queries/platform/idempotency.ts';
import { putValue } from '../../db/queries/platform/kv.ts';
import { findRequests, insertRequests } from '../../db/queries/platform/requests.ts';
import { PLATFORM_SCOPE } from '../../db/scope.ts';
import { startHousekeeping } from '../../workers/housekeeping.ts';
import { addOrganization, type DatabaseContext, withDatabase } from '../db/rows.ts';
import { eventually } from '../support/eventually.ts';
import { silentLogger } from '../support/logger.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

const DAY_MS = 86_400_000;
const BEGUN_MS = Date.UTC(2020, 0, 1);
const ENDLESS_MS = 3_600_000;

const claim = (database: Database, orgId: string, keyHash: string, nowMs: number) =>
  database.forOrg(orgId, (em) => claimKey(em, { keyHash, fingerprint: 'any', nowMs, holder: null, leaseMs: 1_000 }));

const keysLeft = (database: Database) =>
  database.acrossOrgs('test', async (em) => {
    const rows = await em.execute<{ key_hash: string }[]>('select key_hash from idempotency_keys order by key_hash');
    return rows.map((row) => row.key_hash);
  });

const valuesLeft = (database: Database) =>
  database.forOrg(PLATFORM_SCOPE, async (em) => {
    const rows = await em.execute<{ key: string }[]>('select key from kv_entries order by key');
    return rows.map(({ key }) => key);
  });

test.serial(
  'kept responses and values that have expired are removed in every organization, and all the others stay',
  async (t) => {
    const { database } = t.context;
    const orgs = [await addOrganization(database), await addOrganization(database)];
    for (const orgId of orgs) {
      for (const name of ['a', 'b', 'c']) await claim(database, orgId, `old ${name} ${orgId}`, BEGUN_MS);
    }
    await claim(database, orgs[0] ?? '', 'young', BEGUN_MS + DAY_MS);
    await database.forOrg(PLATFORM_SCOPE, async (em) => {
      await putValue(em, 'expired', 1, -1);
      await putValue(em, 'alive', 1, 3_600);
    });
    // More than fit into one round, so that the rounds must follow each other without the pause, which would never
    // end.
    const work = startHousekeeping({
      database,
      logger: silentLogger,
      now: () => BEGUN_MS + DAY_MS,
      pauseMs: ENDLESS_MS,
      rowsOfARound: 2,
    });
    const isClean = async () => (await keysLeft(database)).length === 1 && (await valuesLeft(database)).length === 1;
    await eventually(isClean, { what: 'the expired rows to go' });
    await work.stop();
    t.deepEqual(await keysLeft(database), ['young']);
    t.deepEqual(await valuesLeft(database), ['alive']);
  },
);

test.serial('a request is known for seven days', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const facts = { method: 'GET', route: '/v1/flags', status: 200, error: null, durationMs: 1 };
  const request = (requestId: string, ms: number) => ({
    ...{ ...facts, requestId, actor: { kind: 'user', id: 'usr_a' } },
    at: new Date(BEGUN_MS + ms),
  });
  const kept = [request('req_first', 0), request('req_second', 1), request('req_third', DAY_MS)];
  await database.forOrg(orgId, (em) => insertRequests(em, kept));
  const all = { endMs: Number.POSITIVE_INFINITY, most: 1 };
  const isKnown = (id: string) => database.forOrg(orgId, async (em) => (await findRequests(em, id, all)).length === 1);
  const now = () => BEGUN_MS + 7 * DAY_MS + 1;
  const work = startHousekeeping({ database, logger: silentLogger, now, pauseMs: ENDLESS_MS, rowsOfARound: 1 });
  await eventually(async () => !(await isKnown('req_first')), { what: 'the old request to go' });
  await work.stop();
  t.deepEqual([await isKnown('req_second'), await isKnown('req_third')], [true, true]);
});

test.serial('a round that fails is tried again, and the stop waits for no pause', async (t) => {
  const { database } = t.context;
  const away: Database = { ...database, acrossOrgs: () => Promise.reject(new Error('away')) };
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (_: object, message: string) => void warnings.push(message) };
  const work = startHousekeeping({
    database: away,
    logger: logger as unknown as typeof silentLogger,
    now: Date.now,
    pauseMs: 1,
  });
  await eventually(async () => warnings.length > 2, { what: 'three rounds' });
  await work.stop();
  const patient = startHousekeeping({ database, logger: silentLogger, now: Date.now, pauseMs: ENDLESS_MS });
  await t.notThrowsAsync(patient.stop());
});

const AN_HOUR_MS = 3_600_000;
const LOGGED_DAYS = 30;

test.serial('deliveries leave the log after 30 days, but for those that still wait', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const nowMs = Date.now();
  const daysAgo = (days: number) => new Date(nowMs - days * DAY_MS);
  const kept = { young: daysAgo(LOGGED_DAYS - 1), waiting: daysAgo(LOGGED_DAYS + 1), old: daysAgo(LOGGED_DAYS + 1) };
  await database.transaction(orgId, async (em) => {
    await em.execute(
      `insert into webhooks (id, org_id, url, events, event_types, secret, status)
        values ('whs_1', ?, 'https://hooks.example.com/', '["*"]', '["*"]', 'plain:', 'active')`,
      [orgId],
    );
    for (const [name, at] of Object.entries(kept)) {
      const status = name === 'waiting' ? 'pending' : 'failed';
      const { id } = writeEvent(em, 'webhook.test', {});
      await writeLastRows(em);
      await em.execute(
        `insert into webhook_deliveries
            (id, org_id, webhook_id, event_id, event_type, position, status, attempted_at, created_at)
          values (?, ?, 'whs_1', ?, 'webhook.test', 1, ?, ?, ?)`,
        [name, orgId, id, status, status === 'pending' ? null : at, at],
      );
    }
  });
  const work = startHousekeeping({ database, logger: silentLogger, now: () => nowMs, pauseMs: AN_HOUR_MS });
  const left = () =>
    database.forOrg(orgId, (em) => em.execute<{ id: string }[]>('select id from webhook_deliveries order by id'));
  await eventually(async () => (await left()).length < 3, { what: 'the old delivery to go' });
  await work.stop();
  t.deepEqual(
    (await left()).map(({ id }) => id),
    ['waiting', 'young'],
  );
});
