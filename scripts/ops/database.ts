// The database of the installation that an operator queries.
import { join, resolve } from 'node:path';
import pino from 'pino';
import type { SupervisorConfig } from '../../config.ts';
import { connectDatabase, type Database } from '../../db/orm.ts';
import { urlsOf } from '../start/database.ts';
import { readSecrets, type Secrets } from '../start/secrets.ts';

const ROOT = join(import.meta.dirname, '../..');
/** A question about everything may read all of an organization's rows in one statement. */
const PATIENCE = { statementTimeoutMs: 3_600_000, silenceTimeoutMs: 3_700_000 };

/**
 * Connects to the database at DATABASE_APP_URL and DATABASE_OPS_URL, or to that of `npm start`.
 * @throws Error if there is none
 */
export function connectForOperator(config: SupervisorConfig): Promise<Database> {
  return connectDatabase({ ...urls(config), poolSize: 2, logger: pino({ level: 'warn' }), timeouts: PATIENCE });
}

function urls(config: SupervisorConfig): { appUrl: string; opsUrl: string } {
  const { databaseAppUrl: appUrl, databaseOpsUrl: opsUrl } = config;
  if (appUrl && opsUrl) return { appUrl, opsUrl };
  const secrets = readSecrets(resolve(ROOT, config.dataDir));
  if (!secrets.databaseAppPassword) {
    throw new Error('There is no database: run "npm start" first, or set DATABASE_APP_URL and DATABASE_OPS_URL.');
  }
  const owner = config.databaseUrl ?? `postgres://127.0.0.1:${config.postgresPort}/bindery`;
  const { app, ops } = urlsOf(owner, config, secrets as Secrets);
  return { appUrl: app, opsUrl: ops };
}
