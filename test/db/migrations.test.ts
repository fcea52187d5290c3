import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import anyTest, { type TestFn } from 'ava';
import pg from 'pg';
import { ApiKey } from '../../db/entities/access/api-key.ts';
import { ENTITIES } from '../../db/entities/index.ts';
import { AuditEntry } from '../../db/entities/platform/audit-entry.ts';
import type { Submission } from '../../db/entities/submission/submission.ts';
import { newId } from '../../db/ids.ts';
import { migrateDatabase } from '../../db/migrate.ts';
import { MAKERS_OF_OLD_KEYS } from '../../db/migrations/0015-makers-of-api-keys.ts';
import { connectDatabase } from '../../db/orm.ts';
import { findApiKeysByHash } from '../../db/queries/access/api-keys.ts';
import { writeRelation } from '../../db/queries/access/relations.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { createOrganization } from '../../db/queries/platform/new-organization.ts';
import { PLATFORM_SCOPE } from '../../db/scope.ts';
import { seedDemo } from '../../db/seed/demo.ts';
import { seedReference } from '../../db/seed/reference.ts';
import { silentLogger } from '../support/logger.ts';
import { databaseName } from '../support/servers/database.ts';
import { POSTGRES_VARIABLE } from '../support/servers/servers.ts';
import { type DatabaseContext, withDatabase } from './rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test, 2);

const PASSWORDS = { appPassword: 'bindery-app-of-the-tests', opsPassword: 'bindery-ops-of-the-tests', log: () => {} };
const FOLDER = join(import.meta.dirname, '../../db/migrations');
const MIGRATIONS = readdirSync(FOLDER).map((file) => file.slice(0, -3));
const server = () => process.env[POSTGRES_VARIABLE] ?? '';

test('a database from scratch gets every migration, and a second run finds nothing to do', async (t) => {
  const ownerUrl = await emptyDatabase(t.teardown);
  t.deepEqual(await migrateDatabase({ ownerUrl, ...PASSWORDS }), MIGRATIONS.toSorted());
  t.deepEqual(await migrateDatabase({ ownerUrl, ...PASSWORDS }), []);
});

test('a migration that changes rows of organizations lifts row-level security for the owner, who sees none otherwise', (t) => {
  const texts = MIGRATIONS.map((name) => readFileSync(join(FOLDER, `${name}.ts`), 'utf8'));
  const own = new Set(
    texts.flatMap((text) => [...text.matchAll(/protect_tenant_table\('(\w+)'/g)].map(([, at]) => at)),
  );
  const changed = texts.map((text) => ({
    tables: [...text.matchAll(/^(?:update|delete from) (\w+)/gm)].map(([, table]) => table),
    text,
  }));
  const blind = changed.flatMap(({ tables, text }, index) =>
    tables
      .filter((table) => own.has(table) && !text.includes(`alter table ${table} no force row level security`))
      .map((table) => `${MIGRATIONS[index]}: ${table}`),
  );
  t.deepEqual(blind, []);
  t.true(own.has('policies'));
});

test('several processes may migrate one database, and several databases of one server, at the same time', async (t) => {
  const urls = await Promise.all([emptyDatabase(t.teardown), emptyDatabase(t.teardown)]);
  const runs = await Promise.all(
    [...urls, ...urls, ...urls].map((ownerUrl) => migrateDatabase({ ownerUrl, ...PASSWORDS })),
  );
  t.is(runs.flat().length, 2 * MIGRATIONS.length);
});

test('the tables have the columns that the entities name, with their types and nullability, and outside of sign-in no other', async (t) => {
  const columns = await asUser(t.context.urls.ownerUrl, (client) => client.query(COLUMNS));
  const stored = Map.groupBy(columns.rows, (row) => row.tbl as string);
  await t.context.database.forOrg(t.context.orgId, async (em) => {
    for (const entity of ENTITIES) {
      const { tableName, schema, props } = em.getMetadata().get(entity as typeof Submission);
      const named = props.map(({ fieldNames, columnTypes, nullable }) => ({
        name: fieldNames[0],
        type: columnTypes[0],
        nullable: nullable ?? false,
      }));
      const table = `${schema ?? 'public'}.${tableName}`;
      const isPartial = schema === 'auth';
      const found = (stored.get(table) ?? [])
        .map(({ name, type, nullable }) => ({ name, type, nullable }))
        .filter(({ name }) => !isPartial || named.some((column) => column.name === name));
      const byName = (a: { name?: string }, b: { name?: string }) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1);
      t.deepEqual(named.sort(byName), found.sort(byName), table);
    }
  });
});

/** Without generated columns, which cannot be written. */
const COLUMNS = `
  select n.nspname || '.' || c.relname as tbl, a.attname as name,
    not a.attnotnull as nullable,
    case format_type(a.atttypid, a.atttypmod)
      when 'integer' then 'int'
      when 'timestamp(3) with time zone' then 'timestamptz(3)'
      else format_type(a.atttypid, a.atttypmod) end as type
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and n.nspname in ('public', 'auth')`;

test('an owner who is not a superuser but may create roles can migrate, and everything works under that owner', async (t) => {
  const owner = `bindery_test_owner_${randomBytes(4).toString('hex')}`;
  const adminUrl = server();
  await asUser(adminUrl, async (client) => {
    await client.query(`create role ${owner} login password 'owner' createrole`);
    await client.query(
      `grant bindery_app, bindery_ops, bindery_auth to ${owner} with admin true, inherit false, set false`,
    );
  });
  t.teardown(() => asUser(adminUrl, (client) => client.query(`drop role ${owner}`)));
  const url = await emptyDatabase(t.teardown, owner);
  await migrateDatabase({ ownerUrl: as(url, owner, 'owner'), ...PASSWORDS });
  const database = await connectDatabase({
    appUrl: as(url, 'bindery_app', PASSWORDS.appPassword),
    opsUrl: as(url, 'bindery_ops', PASSWORDS.opsPassword),
    poolSize: 2,
    logger: silentLogger,
  });
  await seedReference(database);
  const apiKey = 'svck_test_0123456789';
  const { orgId } = await seedDemo(database, { orgId: newId('organization'), apiKey });
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(apiKey))).toString('hex');
  const [found] = await database.forOrg(newId('organization'), (em) => findApiKeysByHash(em, [hash]));
  t.is(found?.key.orgId, orgId);
  const entry = newId('audit');
  await asUser(as(url, 'bindery_auth', PASSWORDS.appPassword), (client) =>
    client.query(`select auth.record_audit($1, null, 'sign_in:refused', 'test', '{}')`, [entry]),
  );
  t.truthy(await database.forOrg(PLATFORM_SCOPE, (em) => em.findOne(AuditEntry, { id: entry })));
  await database.close();
  const seen = await asUser(as(url, owner, 'owner'), (client) => client.query('select from producers'));
  t.is(seen.rowCount, 0, 'even the owner sees no rows of organizations');
});

test('an older key acts in the role its maker had, and ends where the tuple it was made through is gone', async (t) => {
  const { orgId, database, urls } = t.context;
  const [home, orphan] = [newId('organization'), newId('user')];
  const keys = new Map<string, string>();
  await database.transaction(home, (em) => createOrganization(em, { id: home, name: 'Home', tier: 'standard' }));
  await asUser(urls.ownerUrl, (client) =>
    client.query(
      `insert into auth.users (id, org_id, email, name, role, origin) values ($1, $2, $1, 'O', 'platform_operator', 'seeded')`,
      [orphan, home],
    ),
  );
  await database.transaction(orgId, async (em) => {
    for (const [createdBy, role] of [
      ['bindery', null],
      ['admin', 'org_admin'],
      ['super', 'superadmin'],
      ['operator', 'platform_operator'],
      ['tupled', 'platform_operator'],
      [orphan, 'platform_operator'],
    ] as const) {
      const id = newId('apiKey');
      keys.set(id, createdBy === orphan ? 'orphan' : createdBy);
      const before = { createdBy, makerRole: 'org_admin', throughOperator: false } as const;
      const hash = randomBytes(32).toString('hex');
      em.create(ApiKey, { id, name: 'Old', hash, displayPrefix: 'svck_test_a', scopes: ['*'], ...before });
      const made = { action: 'api_key:create', entityType: 'api_key', entityId: id, requestId: null };
      if (role !== null) writeAudit(em, { ...made, actor: { kind: 'user', id: createdBy, role } });
    }
    const tuple = { objectType: 'organization', objectId: orgId, relation: 'operator' };
    writeRelation(em, { ...tuple, subjectType: 'user', subjectId: 'tupled' });
  });
  await asUser(urls.ownerUrl, (client) => client.query(MAKERS_OF_OLD_KEYS));
  const rows = await database.forOrg(orgId, (em) => em.find(ApiKey, { id: { $in: [...keys.keys()] } }));
  const found = rows.map((row) => [keys.get(row.id), row.makerRole, row.throughOperator, row.revokedAt !== null]);
  t.deepEqual(
    found.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    [
      ['admin', 'org_admin', false, false],
      ['bindery', 'org_admin', false, false],
      ['operator', 'platform_operator', false, false],
      ['orphan', 'platform_operator', true, true],
      ['super', 'org_admin', false, false],
      ['tupled', 'platform_operator', true, false],
    ],
  );
});

type Teardown = (work: () => Promise<unknown>) => void;

async function emptyDatabase(teardown: Teardown, owner?: string): Promise<string> {
  const name = databaseName('empty');
  await asUser(server(), (client) => client.query(`create database ${name} ${owner ? `owner ${owner}` : ''}`));
  teardown(() => asUser(server(), (client) => client.query(`drop database ${name} with (force)`)));
  const url = new URL(server());
  url.pathname = `/${name}`;
  return url.toString();
}

function as(url: string, user: string, password: string): string {
  return Object.assign(new URL(url), { username: user, password }).toString();
}

async function asUser<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
