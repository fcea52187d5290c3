// Builds the service from its configuration and shuts it down in order.
import pg from 'pg';
import type { Logger } from 'pino';
import type { AuthConfig } from '../config.ts';
import { createKvTable } from '../db/kv-store.ts';
import { connectScoped } from '../db/orm.ts';
import { forgetExpired } from '../db/queries/platform/kv.ts';
import { PLATFORM_SCOPE } from '../db/scope.ts';
import { listen } from '../http/http-server.ts';
import { createKvStore } from '../providers/kv.ts';
import { createMail } from '../providers/mail.ts';
import type { MailPort } from '../providers/mail-port.ts';
import { createAuthApp } from './app.ts';
import { createBackground } from './background.ts';
import { forgetEndedSessions } from './directory.ts';

const STOP_GRACE_MS = 8_000;
const SWEEP_EVERY_MS = 60_000;
const CONNECT_TIMEOUT_MS = 8_000;
const STATEMENT_TIMEOUT_MS = 15_000;

export interface RunningAuth {
  port: number;
  stop: () => Promise<void>;
}

export interface AuthParts {
  logger: Logger;
  /** Default: the configured adapter. */
  mail?: MailPort;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** Opens the connections as `bindery_auth` to the schema `auth`. */
function connectAccounts(url: string, poolSize: number, logger: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    options: '-c search_path=auth',
    max: poolSize,
    application_name: 'bindery-auth',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
  });
  pool.on('error', (error) => logger.warn({ reason: error.message }, 'an idle connection was lost'));
  return pool;
}

/** Starts the service on the configured port. @throws Error with code EADDRINUSE if the port is taken */
export async function startAuth(config: AuthConfig, { logger, mail, now = Date.now }: AuthParts): Promise<RunningAuth> {
  const background = createBackground(logger);
  const { databaseAuthUrl: url, poolSize } = config;
  const accounts = connectAccounts(url, poolSize, logger);
  const database = await connectScoped({ url, name: 'auth', schema: 'auth', poolSize, logger });
  const kv = createKvStore({ kvCache: config.kvCache, table: createKvTable(database), logger });
  const post = mail ?? createMail(config);
  const { app, close } = createAuthApp({
    config,
    accounts,
    database,
    kv,
    mail: post,
    logger,
    now,
    inBackground: background.run,
  });
  const server = await listen(app.callback(), { port: config.authPort });
  const sweep = setInterval(() => {
    background.run('forgetting what has expired', async () => {
      await database.forOrg(PLATFORM_SCOPE, (em) => forgetExpired(em));
      await forgetEndedSessions(accounts);
    });
  }, SWEEP_EVERY_MS);
  sweep.unref();
  const stop = async () => {
    clearInterval(sweep);
    await server.stop(STOP_GRACE_MS);
    await background.finish(STOP_GRACE_MS);
    await close();
    await Promise.all([kv.close(), post.close(), database.close(), accounts.end()]);
  };
  return { port: server.port, stop };
}
