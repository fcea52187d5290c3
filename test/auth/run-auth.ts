// The authentication service in this process, on a free port, behind a proxy, with its own database and a readable
// mailbox.
import pg from 'pg';
import { type RunningAuth, startAuth } from '../../auth/start.ts';
import type { AuthConfig } from '../../config.ts';
import { newId } from '../../db/ids.ts';
import { linkToken, newLinkSecret } from '../../db/queries/access/password-links.ts';
import type { Mail, MailPort } from '../../providers/mail-port.ts';
import { testAuthConfig } from '../support/config.ts';
import { silentLogger } from '../support/logger.ts';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.ts';
import { freePort } from '../support/servers/free-port.ts';
import { type Browser, openBrowser } from './browser.ts';

export interface AuthUnderTest {
  url: string;
  config: AuthConfig;
  testDatabase: TestDatabase;
  /** As the owner of the tables, past row-level security. */
  sql: pg.Pool;
  mails: Mail[];
  browser(): Browser;
  /** Adds an organization and returns its id. */
  createOrg(facts?: { isDemo?: boolean; emailDomains?: string[] }): Promise<string>;
  /** Adds a member as a seed or an accepted invitation does, and returns the user id. The person may already exist. */
  createUser(facts: UserFacts): Promise<string>;
  /** Offers a membership as an administrator would, and returns the user id and the e-mailed token. */
  invite(facts: Pick<UserFacts, 'email' | 'orgId' | 'role'>): Promise<{ id: string; token: string }>;
  close(): Promise<void>;
}

export interface UserFacts {
  email: string;
  orgId: string;
  role: string;
  origin?: string;
  active?: boolean;
}

/** Starts the service; the caller closes it. */
export async function runAuth(
  variables: Record<string, string> = {},
  options: { now?: () => number; database?: TestDatabase } = {},
): Promise<AuthUnderTest> {
  const testDatabase = options.database ?? (await createTestDatabase());
  const port = await freePort();
  const config = testAuthConfig({
    database: testDatabase,
    temporalAddress: '127.0.0.1:1',
    taskQueuePrefix: 'none',
    variables: { AUTH_PORT: String(port), TRUST_PROXY: 'true', ...variables },
  });
  const mails: Mail[] = [];
  const service = await startAuth(config, { logger: silentLogger, mail: mailbox(mails), ...options });
  const sql = new pg.Pool({ connectionString: testDatabase.ownerUrl, max: 2 });
  const url = `http://localhost:${port}`;
  return {
    ...{ url, config, testDatabase, sql, mails },
    browser: () => openBrowser(url),
    createOrg: ({ isDemo = false, emailDomains = [] } = {}) => insertOrg(sql, isDemo, emailDomains),
    createUser: (facts) => insertUser(sql, facts),
    invite: (facts) => insertOffer(sql, facts),
    close: () => close(service, sql),
  };
}

function mailbox(mails: Mail[]): MailPort {
  return {
    send: async (mail) => {
      mails.push(mail);
      return null;
    },
    close: async () => {},
  };
}

async function insertOrg(sql: pg.Pool, isDemo: boolean, emailDomains: string[]): Promise<string> {
  const id = newId('organization');
  await sql.query('insert into organizations (id, name, is_demo, email_domains) values ($1, $2, $3, $4)', [
    id,
    'Test organization',
    isDemo,
    JSON.stringify(emailDomains),
  ]);
  return id;
}

async function insertUser(sql: pg.Pool, { email, orgId, role, origin = 'invited', active = true }: UserFacts) {
  const id = newId('user');
  await sql.query('insert into auth.people (id, email, name) values ($1, $2, $2) on conflict do nothing', [
    newId('user'),
    email,
  ]);
  await sql.query(
    `insert into auth.users (id, person_id, member_since, email, name, org_id, role, origin, active)
      select $1, id, now(), $2, $2, $3, $4, $5, $6 from auth.people where email = $2`,
    [id, email, orgId, role, origin, active],
  );
  return id;
}

async function insertOffer(sql: pg.Pool, { email, orgId, role }: Pick<UserFacts, 'email' | 'orgId' | 'role'>) {
  const id = newId('user');
  const { secret, hash } = newLinkSecret();
  await sql.query(
    `insert into auth.users (id, email, name, org_id, role, origin, invitation_hash, invitation_expires_at)
      values ($1, $2, $2, $3, $4, 'invited', $5, now() + interval '1 day')`,
    [id, email, orgId, role, hash],
  );
  return { id, token: linkToken(id, secret) };
}

async function close(service: RunningAuth, sql: pg.Pool): Promise<void> {
  await service.stop();
  await sql.end();
}
