// The environment variables of the stores for rows and counters: PostgreSQL under each of its roles, and the key-value
// store.
import { confidential, count, databaseUrl, kvUrl } from './shapes.ts';

/** As the owner of the tables. */
export const ownerVariables = {
  DATABASE_URL: confidential(
    databaseUrl()
      .optional()
      .describe(
        'PostgreSQL as the owner of the tables; only the migration needs it. Set it to use a server of your own.',
      ),
  ),
} as const;

/** As the roles that reach the rows of organizations. */
export const businessVariables = {
  DATABASE_APP_URL: confidential(
    databaseUrl().describe('PostgreSQL as the role bindery_app, which row-level security binds.'),
  ),
  DATABASE_OPS_URL: confidential(
    databaseUrl().describe('PostgreSQL as the role bindery_ops, which reads across organizations.'),
  ),
} as const;

/** As the role that reaches accounts and sessions. */
export const accountVariables = {
  DATABASE_AUTH_URL: confidential(
    databaseUrl().describe('PostgreSQL as the role bindery_auth, which reaches accounts and sessions alone.'),
  ),
} as const;

export const poolVariables = {
  DATABASE_POOL_SIZE: count(200).default(10).describe('Connections that one process keeps at most, for each role.'),
} as const;

export const kvVariables = {
  KV_CACHE: confidential(
    kvUrl()
      .optional()
      .describe(
        'Valkey or Redis for codes, attempts, marks of events and request counters. Default: a table of PostgreSQL.',
      ),
  ),
} as const;
