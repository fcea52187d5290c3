// A database of its own for each test file, cloned from a template that is migrated once per schema version.
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { migrateDatabase } from '../../../db/migrate.ts';
import { connectDatabase } from '../../../db/orm.ts';
import { seedReference } from '../../../db/seed/reference.ts';
import { DAYS_AHEAD } from '../fixed/today.ts';
import { silentLogger } from '../logger.ts';
import { isRunning } from './running.ts';
import { POSTGRES_VARIABLE } from './servers.ts';

const APP_PASSWORD = 'bindery-app-of-the-tests';
const OPS_PASSWORD = 'bindery-ops-of-the-tests';
const AUTH_PASSWORD = 'bindery-auth-of-the-tests';
const SCHEMA_FOLDER = join(import.meta.dirname, '../../../db');
const TEST_PREFIX = 'bindery_test_';
/** The name includes the process that made the database. */
const CREATOR = /^bindery_test_(\d+)_/;
/** Any number, the same for all: it lets one process build a template while the others wait. */
const TEMPLATE_LOCK = 7_283_115;

export interface TestDatabase {
  name: string;
  /** Owner of the tables: sees every row, past row-level security. */
  ownerUrl: string;
  /** Role bindery_app: what the services use. */
  appUrl: string;
  /** Role bindery_ops: reads across organizations. */
  opsUrl: string;
  /** Role bindery_auth: reaches only the schema `auth`. */
  authUrl: string;
}

/**
 * Creates a migrated database with the reference data and no organizations.
 * @param t the test, whose title becomes part of the name
 */
export async function createTestDatabase(t?: { title?: string }): Promise<TestDatabase> {
  const server = serverUrl();
  const template = await ensureTemplate(server);
  const name = databaseName(t?.title ?? 'file');
  await asSuperuser(server, async (client) => {
    await dropAbandonedDatabases(client);
    await client.query(`create database ${name} template ${template} strategy file_copy`);
  });
  return urlsOf(server, name);
}

/** Makes sure that the current schema's template exists and returns its name. */
export async function ensureTemplate(server: string): Promise<string> {
  const template = `bindery_template_${schemaVersion()}${DAYS_AHEAD ? `_${DAYS_AHEAD}` : ''}`;
  await asSuperuser(server, async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const found = await client.query('select datistemplate from pg_database where datname = $1', [template]);
    if (found.rows[0]?.datistemplate) return;
    await client.query(`drop database if exists ${template} with (force)`);
    await client.query(`create database ${template}`);
    await fillTemplate(urlsOf(server, template));
    await client.query(`alter database ${template} with is_template true allow_connections false`);
  });
  return template;
}

async function fillTemplate(urls: TestDatabase): Promise<void> {
  await migrateDatabase({
    ownerUrl: urls.ownerUrl,
    appPassword: APP_PASSWORD,
    opsPassword: OPS_PASSWORD,
    authPassword: AUTH_PASSWORD,
    log: () => {},
  });
  const database = await connectDatabase({ ...urls, poolSize: 1, logger: silentLogger });
  await seedReference(database);
  await database.close();
  await asSuperuser(urls.ownerUrl, async (client) => {
    await client.query(FEW_ORGANIZATIONS);
    if (DAYS_AHEAD) await client.query(bornAhead(DAYS_AHEAD));
  });
}

/** Each organization begins that many days ahead, so tests run as if on that day: the end of a month, February 29. */
const bornAhead = (days: number) => `
create function born_ahead() returns trigger language plpgsql as
  $$ begin new.clock_offset_days := new.clock_offset_days + ${days}; return new; end $$;
create trigger born_ahead before insert on organizations for each row execute function born_ahead();`;

/**
 * What autovacuum would find out in its first minute: that few organizations share a table. It is off here, and
 * without statistics the planner takes the organization to be as selective as an id: it reads all of an organization's
 * rows to find one.
 */
const FEW_ORGANIZATIONS = `
select pg_restore_attribute_stats('schemaname', 'public', 'relname', c.relname::text, 'attname', 'org_id',
  'inherited', false, 'null_frac', 0::real, 'avg_width', 30, 'n_distinct', 1::real)
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`;

function serverUrl(): string {
  const url = process.env[POSTGRES_VARIABLE];
  if (url) return url;
  throw new Error(`${POSTGRES_VARIABLE} is not set: run the tests with "npm test -- <file>"`);
}

function urlsOf(server: string, name: string): TestDatabase {
  const url = (user?: string, password?: string) => {
    const parts = new URL(server);
    parts.pathname = `/${name}`;
    if (user) parts.username = user;
    if (password) parts.password = password;
    return parts.toString();
  };
  return {
    name,
    ownerUrl: url(),
    appUrl: url('bindery_app', APP_PASSWORD),
    opsUrl: url('bindery_ops', OPS_PASSWORD),
    authUrl: url('bindery_auth', AUTH_PASSWORD),
  };
}

/** Returns a name for one-time use; a later test process drops the database once this one has ended. */
export function databaseName(title: string): string {
  const words = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, 20);
  return `${TEST_PREFIX}${process.pid}_${words}_${randomBytes(4).toString('hex')}`;
}

/** Drops the databases of test processes that have ended: a run may keep them in memory, 16 MB and more each. */
async function dropAbandonedDatabases(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>('select datname from pg_database where datname like $1', [
    `${TEST_PREFIX}%`,
  ]);
  for (const { datname } of rows) {
    const creator = CREATOR.exec(datname)?.[1];
    if (creator === undefined || isRunning(Number(creator))) continue;
    await client.query(`drop database if exists ${datname} with (force)`);
  }
}

function schemaVersion(): string {
  const hash = createHash('sha256');
  const names = readdirSync(SCHEMA_FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  for (const name of names.sort()) hash.update(name).update(readFileSync(join(SCHEMA_FOLDER, name)));
  return hash.digest('hex').slice(0, 16);
}

async function asSuperuser<T>(server: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
