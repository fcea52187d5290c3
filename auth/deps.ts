// The dependencies of the service: made by the entry file from the configuration, and by tests from their own parts.
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { AuthConfig } from '../config.ts';
import type { ScopedDatabase } from '../db/orm.ts';
import type { MailPort } from '../providers/mail-port.ts';
import type { KvStore } from '../providers/ports.ts';

export interface AuthDeps {
  config: AuthConfig;
  /** Connections as `bindery_auth`, which reaches only the schema `auth`. */
  accounts: Pool;
  /** The same role's way to the key-value entries of sign-in: password links. */
  database: Pick<ScopedDatabase, 'forOrg'>;
  /** Attempt counters, and single sign-ons in progress. */
  kv: KvStore;
  mail: MailPort;
  logger: Logger;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Does work that no caller waits for; a failure is logged. The service waits for it when stopping. */
  inBackground: (what: string, work: () => Promise<unknown>) => void;
}
