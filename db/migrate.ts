// Brings a database up to date: the roles of the services, then every migration that has not run yet.
// Safe to run twice and from several processes at the same time. The owner needs CREATEROLE, not superuser.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import type { PoolClient } from 'pg';

/** Role of the services: bound by row-level security, owns nothing. */
const APP_ROLE = 'bindery_app';
/** Role of the code that must see every organization. */
const OPS_ROLE = 'bindery_ops';
/** Role of the authentication service: reaches only the schema `auth`. */
const AUTH_ROLE = 'bindery_auth';

export interface MigrationOptions {
  /** Connection as the owner of the tables. */
  ownerUrl: string;
  appPassword: string;
  opsPassword: string;
  /** Password of the authentication service's role; defaults to the application's. */
  authPassword?: string;
  log: (line: string) => void;
}

/** Any number, the same in every version: one migration holds the lock, the others wait. */
const MIGRATION_LOCK = 4_127_309;
const ROLE_ATTEMPTS = 40;
const ROLE_RETRY_MS = 50;

/**
 * Creates the roles (or resets their passwords) and runs the missing migrations, all in one transaction.
 * @returns the names of the migrations that ran
 */
export async function migrateDatabase(options: MigrationOptions): Promise<string[]> {
  const orm = await MikroORM.init({
    entities: [],
    discovery: { warnWhenNoEntities: false },
    clientUrl: options.ownerUrl,
    contextName: 'owner',
    pool: { min: 0, max: 3 },
    driverOptions: {
      // The driver reads it too: the mapper takes neither TLS nor a socket from a URL.
      connectionString: options.ownerUrl,
      application_name: 'bindery-migration',
      connectionTimeoutMillis: 10_000,
    },
    extensions: [Migrator],
    migrations: {
      path: join(import.meta.dirname, 'migrations'),
      glob: '*.ts',
      snapshot: false,
      disableForeignKeys: false,
      allOrNothing: true,
      silent: true,
    },
  });
  try {
    return await withLock(orm, async (client) => {
      await prepareRole(client, APP_ROLE, options.appPassword);
      await prepareRole(client, OPS_ROLE, options.opsPassword);
      await prepareRole(client, AUTH_ROLE, options.authPassword ?? options.appPassword);
      await closeDatabase(client, options.log);
      await client.query(`grant usage on schema public to ${APP_ROLE}, ${OPS_ROLE}`);
      orm.migrator.on('migrated', ({ name }) => options.log(`migrated ${name}`));
      const ran = await orm.migrator.up();
      return ran.map(({ name }) => name);
    });
  } finally {
    await orm.close(true);
  }
}

async function withLock<T>(orm: MikroORM, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const pool = await orm.em.getConnection().getNativeClient();
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await work(client);
  } finally {
    // Ends the session and with it the lock.
    client.release(true);
  }
}

/**
 * Roles belong to the whole server, so another database's migration may change the same one simultaneously.
 * @throws Error if the role could bypass row-level security
 */
async function prepareRole(client: PoolClient, role: string, password: string): Promise<void> {
  const secret = client.escapeLiteral(password);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
      await client.query(`${rowCount === 0 ? 'create' : 'alter'} role ${role} login password ${secret}`);
      break;
    } catch (error) {
      if (attempt === ROLE_ATTEMPTS || !isRaceOverRole(error)) throw error;
      await delay(ROLE_RETRY_MS * (0.5 + Math.random()));
    }
  }
  const unsafe = await client.query('select from pg_roles where rolname = $1 and (rolsuper or rolbypassrls)', [role]);
  if (unsafe.rowCount !== 0) throw new Error(`The role ${role} must not be a superuser or bypass row-level security`);
}

/**
 * Lets only the owner and the service roles connect or create temporary tables. A database's grants are not part of its
 * schema or its dumps, so every run sets them. Only the database's owner can; any other role logs that and continues.
 */
async function closeDatabase(client: PoolClient, log: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ name: string; mine: boolean }>(
    `select current_database() as name, pg_has_role(datdba, 'usage') as mine from pg_database
      where datname = current_database()`,
  );
  const [database] = rows;
  if (!database?.mine) {
    log('the database lets every role of its server connect: its owner can revoke that from public');
    return;
  }
  const name = client.escapeIdentifier(database.name);
  await client.query(`revoke all on database ${name} from public`);
  await client.query(`grant connect on database ${name} to ${APP_ROLE}, ${OPS_ROLE}, ${AUTH_ROLE}`);
}

function isRaceOverRole(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (code === '23505' || code === '42710') return true;
  return code === 'XX000' && message === 'tuple concurrently updated';
}
