// The database of `npm start`: the one at DATABASE_URL, or our own cluster in the data folder.
import { existsSync } from 'node:fs';
import pg from 'pg';
import type { SupervisorConfig } from '../../config.ts';
import { basesIn } from '../backup/bases.ts';
import { archiveSettings, backupPlace, preparePlace } from '../backup/place.ts';
import { clusterFolder } from './cluster/folder.ts';
import { postgresUser } from './cluster/user.ts';
import { type KeptProgram, keepAlive } from './keep-alive.ts';
import { requireFreePort } from './ports.ts';
import { startPostgres, stopServerOfBefore } from './postgres.ts';
import { report } from './progress.ts';
import type { Secrets } from './secrets.ts';
import { StartError } from './start-error.ts';

const DATABASE = 'bindery';
export const OWNER = 'bindery';
/** Each service keeps a pool for each of two roles. */
export const SETTINGS = { max_connections: '200', shared_buffers: '256MB' };

export interface DatabaseUrls {
  owner: string;
  app: string;
  ops: string;
  auth: string;
}

export interface DatabasePart {
  urls: DatabaseUrls;
  /** Null if the server is not ours. */
  server: KeptProgram | null;
}

/**
 * Provides a database that the services' roles can connect to once it is migrated.
 * @param dataDir absolute
 * @throws StartError if the port is taken or the cluster does not come up
 */
export async function provideDatabase(
  config: SupervisorConfig,
  secrets: Secrets,
  dataDir: string,
  onLine: (line: string) => void,
): Promise<DatabasePart> {
  if (config.databaseUrl) return { urls: urlsOf(config.databaseUrl, config, secrets), server: null };
  const folder = clusterFolder(dataDir, postgresUser());
  await stopServerOfBefore(folder);
  await requireFreePort('PostgreSQL', config.postgresPort, 'POSTGRES_PORT');
  requireRestored(config.backupDir, folder);
  const options = {
    folder,
    port: config.postgresPort,
    superuser: OWNER,
    password: secrets.databaseOwnerPassword,
    settings: { ...SETTINGS, ...archiving(config.backupDir) },
    onLine,
  };
  const cluster = await startPostgres(options);
  const server = keepAlive({
    first: cluster.child,
    again: async (stopping) => {
      const { child } = await startPostgres({ ...options, stopping });
      report('postgres', 'runs again');
      return child;
    },
    report: (line) => report('postgres', line),
  });
  const owner = new URL(cluster.url);
  await createDatabase(owner.toString());
  owner.pathname = `/${DATABASE}`;
  return { urls: urlsOf(owner.toString(), config, secrets), server };
}

/** Refuses to start without restoring: a new database would archive among the lost one's backups. */
function requireRestored(backupDir: string | null, folder: string): void {
  if (backupDir === null || existsSync(folder) || basesIn(backupPlace(backupDir)).length === 0) return;
  throw new StartError(
    `There is no database in ${folder}, and ${backupDir} has backups of one: run "npm run restore", or set another BACKUP_DIR to begin afresh.`,
  );
}

function archiving(backupDir: string | null): Record<string, string> {
  return backupDir === null ? {} : archiveSettings(preparePlace(backupDir, postgresUser()));
}

/** The owner's connection URL for the database of `npm start`. */
export function ownerUrl(port: number, password: string): string {
  return `postgres://${OWNER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${DATABASE}`;
}

async function createDatabase(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

/** URLs for each role on the owner's server, unless the configuration sets others. */
export function urlsOf(owner: string, config: SupervisorConfig, secrets: Secrets): DatabaseUrls {
  const as = (user: string, password: string) => {
    const url = new URL(owner);
    url.username = user;
    url.password = password;
    return url.toString();
  };
  return {
    owner,
    app: config.databaseAppUrl ?? as('bindery_app', secrets.databaseAppPassword),
    ops: config.databaseOpsUrl ?? as('bindery_ops', secrets.databaseOpsPassword),
    auth: config.databaseAuthUrl ?? as('bindery_auth', secrets.databaseAuthPassword),
  };
}
