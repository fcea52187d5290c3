import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { Organization } from '../../db/entities/platform/organization.ts';
import { isUnavailable, isUniqueViolation } from '../../db/faults.ts';
import { migrateDatabase } from '../../db/migrate.ts';
import { connectDatabase, type Database, type DatabaseTimeouts } from '../../db/orm.ts';
import { lockOrganization } from '../../db/queries/platform/organizations.ts';
import { seedReference } from '../../db/seed/reference.ts';
import { type Cluster, startPostgres } from '../../scripts/start/postgres.ts';
import { eventually } from '../support/eventually.ts';
import { silentLogger } from '../support/logger.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startProxy } from '../support/servers/proxy.ts';
import { overTcp } from '../support/servers/servers.ts';
import { addOrganization, aSubmission, type DatabaseContext, withDatabase } from './rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

async function connected(
  t: ExecutionContext<DatabaseContext>,
  { poolSize = 2, ...timeouts }: Partial<DatabaseTimeouts> & { poolSize?: number },
): Promise<Database> {
  const database = await connectDatabase({ ...t.context.urls, poolSize, logger: silentLogger, timeouts });
  t.teardown(() => database.close());
  return database;
}

test.serial(
  'a server that was killed in the middle of a transaction serves again when it is back, without a restart of ours',
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'bindery-killed-'));
    chmodSync(folder, 0o755);
    const settings = { folder: join(folder, 'data'), port: await freePort(), superuser: 'postgres', password: null };
    let cluster: Cluster = await startPostgres(settings);
    t.teardown(async () => {
      await cluster.child.stop(5_000);
      rmSync(folder, { recursive: true, force: true });
    });
    const log = () => {};
    await migrateDatabase({ ownerUrl: cluster.url, appPassword: 'app', opsPassword: 'ops', log });
    const as = (role: string) => cluster.url.replace('postgres@', `${role}@`);
    const database = await connectDatabase({
      ...{ appUrl: as('bindery_app'), opsUrl: as('bindery_ops') },
      ...{ poolSize: 3, logger: silentLogger },
    });
    t.teardown(() => database.close());
    await seedReference(database);
    const orgId = await addOrganization(database);
    const count = () => database.forOrg(orgId, (em) => em.execute('select count(*)::int as count from submissions'));
    await Promise.all(Array.from({ length: 6 }, count));

    const half = database.transaction(orgId, async (em) => {
      aSubmission(em);
      await em.flush();
      process.kill(cluster.child.pid, 'SIGKILL');
      await cluster.child.exited;
      await em.execute('select 1');
    });
    t.true(isUnavailable(await t.throwsAsync(half)));
    const refused = await Promise.allSettled([...Array.from({ length: 6 }, count), database.ping()]);
    t.true(refused.every((one) => one.status === 'rejected' && isUnavailable(one.reason)));

    cluster = await startPostgres(settings);
    const answers = await Promise.all(Array.from({ length: 12 }, count));
    for (const answer of answers) t.deepEqual(answer, [{ count: 0 }]);
    await t.notThrowsAsync(database.transaction(orgId, async (em) => aSubmission(em)));
  },
);

test.serial(
  'connections that the server ends are replaced, in and out of a transaction, and none of the pool is lost',
  async (t) => {
    const { orgId } = t.context;
    const database = await connected(t, { poolSize: 2 });
    const killAll = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`;
    for (let round = 0; round < 5; round += 1) {
      const victims = [1, 2].map(() =>
        database.transaction(orgId, async (em) => {
          await em.execute('select 1');
          await em.execute('select pg_terminate_backend(pg_backend_pid())');
        }),
      );
      for (const one of await Promise.allSettled(victims)) {
        t.true(one.status === 'rejected' && isUnavailable(one.reason), String(one.status === 'rejected' && one.reason));
      }
      await database.forOrg(orgId, (em) => em.execute(killAll)).catch((error) => t.true(isUnavailable(error)));
    }
    t.is(await eventuallyCounts(database, orgId), 1);
  },
);

test.serial(
  'a wait for a lock, a slow statement and an exhausted pool end in time, as unavailable, and leave the pool whole',
  async (t) => {
    const { orgId } = t.context;
    const limits = { lockTimeoutMs: 200, statementTimeoutMs: 5_000, acquireTimeoutMs: 5_000 };
    const database = await connected(t, { poolSize: 2, ...limits });
    const slow = database.forOrg(orgId, (em) => em.execute('select pg_sleep(30)'));
    t.true(isUnavailable(await t.throwsAsync(slow)));

    await database.transaction(orgId, async (em) => {
      await lockOrganization(em, orgId);
      const waiting = database.transaction(orgId, (other) => lockOrganization(other, orgId));
      t.true(isUnavailable(await t.throwsAsync(waiting)));
      await database.transaction(orgId, async (second) => {
        await second.execute('select 1');
        t.true(isUnavailable(await t.throwsAsync(database.forOrg(orgId, (third) => third.count(Organization)))));
      });
    });
    t.is(await eventuallyCounts(database, orgId), 1);
  },
);

test.serial(
  'a server that falls silent is given up in time, in and out of a transaction, and is used again by new connections',
  async (t) => {
    const { orgId, urls } = t.context;
    const proxy = await startProxy(Number(new URL(urls.appUrl).port));
    t.teardown(() => proxy.close());
    const appUrl = overTcp(urls.appUrl, proxy.port);
    // The line runs in this process, which a busy machine may hold up.
    const timeouts = { silenceTimeoutMs: 5_000, acquireTimeoutMs: 5_000 };
    const database = await connectDatabase({ ...urls, appUrl, poolSize: 2, logger: silentLogger, timeouts });
    t.teardown(() => database.close());
    const ask = () => database.forOrg(orgId, (em) => em.execute('select 1 as one'));
    await Promise.all([ask(), ask()]);
    const inTransaction = database.transaction(orgId, async (em) => {
      await em.execute('select 1');
      proxy.swallow();
      await em.execute('select 1');
    });
    t.true(isUnavailable(await t.throwsAsync(inTransaction)));
    t.true(isUnavailable(await t.throwsAsync(ask())));
    t.is(await eventuallyCounts(database, orgId), 1);
    const both = () => Promise.all([ask(), ask()]).catch(() => null);
    t.deepEqual(await eventually(both, { what: 'the whole pool to serve' }), [[{ one: 1 }], [{ one: 1 }]]);
  },
);

test.serial('a server that cannot be reached at all, an unknown host and a closed pool are unavailable', async (t) => {
  const nobody = `postgres://nobody@127.0.0.1:${await freePort()}/none`;
  for (const appUrl of [nobody, 'postgres://nobody@host.invalid/none']) {
    const database = await connectDatabase({ appUrl, opsUrl: nobody, poolSize: 1, logger: silentLogger });
    t.true(isUnavailable(await t.throwsAsync(database.ping())), appUrl);
    t.true(isUnavailable(await t.throwsAsync(database.acrossOrgs('test', (em) => em.count(Organization)))));
    await database.close();
  }
});

test.serial(
  'an address that requires TLS never connects without it, neither a service nor the migration',
  async (t) => {
    const { urls } = t.context;
    const inTls = (url: string) => `${overTcp(url)}?sslmode=verify-full`;
    const tls = { appUrl: inTls(urls.appUrl), opsUrl: inTls(urls.opsUrl) };
    // The test server has no certificate.
    const refusal = { message: /server does not support SSL/ };
    const database = await connectDatabase({ ...tls, poolSize: 1, logger: silentLogger });
    await t.throwsAsync(database.ping(), refusal);
    await t.throwsAsync(
      database.acrossOrgs('test', (em) => em.count(Organization)),
      refusal,
    );
    await database.close();
    const passwords = { appPassword: 'app', opsPassword: 'ops', log: () => {} };
    await t.throwsAsync(migrateDatabase({ ownerUrl: inTls(urls.ownerUrl), ...passwords }), refusal);
  },
);

test.serial('other faults are not taken for an outage', async (t) => {
  const { database, orgId } = t.context;
  const faults = [
    'select 1 / 0',
    'select nonsense',
    `insert into submissions (id) values ('x')`,
    'drop table policies',
  ];
  for (const sql of faults) {
    const error = await t.throwsAsync(database.forOrg(orgId, (em) => em.execute(sql)));
    t.false(isUnavailable(error), sql);
    t.false(isUniqueViolation(error), sql);
  }
  for (const value of [null, undefined, 'ECONNREFUSED', new Error('ECONNREFUSED'), { code: 500 }]) {
    t.false(isUnavailable(value));
  }
  t.true(isUnavailable(new Error('a wrapper', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) })));
});

/** Queries until the pool serves again; only a query reveals that a connection is already dead. */
async function eventuallyCounts(database: Database, orgId: string): Promise<number> {
  const deadlineMs = Date.now() + PATIENCE_MS;
  for (;;) {
    const count = await database.forOrg(orgId, (em) => em.count(Organization)).catch(() => null);
    if (count !== null || Date.now() > deadlineMs) return count ?? -1;
    await setImmediate();
  }
}
