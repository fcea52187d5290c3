// The dependencies of the service. The entry file makes them from the configuration, tests from their own parts.
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { AuthConfig } from '../config.ts';
import type { ScopedDatabase } from '../db/orm.ts';
import type { MailPort } from '../providers/mail-port.ts';
import type { KvStore } from '../providers/ports.ts';

export interface AuthDeps {
  config: AuthConfig;
  /** Connections as `bindery_auth`, which reaches the schema `auth` alone. */
  accounts: Pool;
  /** The same role's way to the key-value entries of sign-in: password links. */
  database: Pick<ScopedDatabase, 'forOrg'>;
  /** Attempt counters, and single sign-ons under way. */
  kv: KvStore;
  mail: MailPort;
  logger: Logger;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Does work that nobody waits for; a failure is logged. The service waits for it when it stops. */
  inBackground: (what: string, work: () => Promise<unknown>) => void;
}
