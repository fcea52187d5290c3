// The people of the schema `auth`, how they sign in, and their sessions, as the service reads and writes them alongside
// its library. Each function is one statement, or a few in one transaction (inTransaction), as the role `bindery_auth`.
// Memberships are in members.ts.
import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { newId } from '../db/ids.ts';

/** The library's name for a password as a way to sign in. */
const PASSWORD = 'credential';

/** Someone who signs in, independent of any organization. */
export interface Person {
  id: string;
  /** Lower case, unique in the installation, never changed. */
  email: string;
  name: string;
  /** Whether they have proved that the mailbox is theirs. */
  emailVerified: boolean;
}

export type Queryable = Pick<Pool | PoolClient, 'query'>;

const COLUMNS = `p.id, p.email, p.name, p.email_verified as "emailVerified"`;

/** Reads a person, or null. */
export async function findPerson(db: Queryable, id: string): Promise<Person | null> {
  const { rows } = await db.query<Person>(`select ${COLUMNS} from people p where p.id = $1`, [id]);
  return rows[0] ?? null;
}

/** Reads a person and locks the row until the transaction ends; null when there is none. */
export async function lockPerson(db: Queryable, id: string): Promise<Person | null> {
  const { rows } = await db.query<Person>(`select ${COLUMNS} from people p where p.id = $1 for update`, [id]);
  return rows[0] ?? null;
}

/** Reads a person by lower-case address, or null; inside a transaction, locks the row. */
export async function findPersonByEmail(db: Queryable, email: string): Promise<Person | null> {
  const { rows } = await db.query<Person>(`select ${COLUMNS} from people p where p.email = $1 for update`, [email]);
  return rows[0] ?? null;
}

/** Reads the person behind an identity at a provider, or null. */
export async function findPersonByIdentity(db: Queryable, provider: string, subject: string): Promise<Person | null> {
  const { rows } = await db.query<Person>(
    `select ${COLUMNS} from accounts a join people p on p.id = a.person_id where a.provider_id = $1 and a.account_id = $2`,
    [provider, subject],
  );
  return rows[0] ?? null;
}

/** Names a person's identity at a provider; null for someone who does not sign in there. */
export async function identityOf(db: Queryable, personId: string, provider: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>('select id from accounts where person_id = $1 and provider_id = $2', [
    personId,
    provider,
  ]);
  return rows[0]?.id ?? null;
}

/** Returns the name of the current password of an address: the next one has another name. Null if there is none. */
export async function passwordOf(db: Queryable, email: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    'select a.id from accounts a join people p on p.id = a.person_id where p.email = $1 and a.provider_id = $2',
    [email, PASSWORD],
  );
  return rows[0]?.id ?? null;
}

/** Adds a person. @returns null when the address is taken */
export async function insertPerson(db: Queryable, person: Omit<Person, 'id'>): Promise<Person | null> {
  const { email, name, emailVerified } = person;
  const { rows } = await db.query<Person>(
    `insert into people as p (id, email, name, email_verified) values ($1, $2, $3, $4)
      on conflict (email) do nothing returning ${COLUMNS}`,
    [newId('user'), email, name, emailVerified],
  );
  return rows[0] ?? null;
}

/** Records that a person has proved that the mailbox is theirs, for them and their organizations. */
export async function proveAddress(db: Queryable, personId: string): Promise<void> {
  await db.query('update people set email_verified = true, updated_at = now() where id = $1', [personId]);
  await db.query('update users set email_verified = true, updated_at = now() where person_id = $1', [personId]);
}

/** Gives a person another way to sign in. Fails if another person has the same identity. */
export async function addIdentity(db: Queryable, personId: string, provider: string, subject: string): Promise<void> {
  await db.query('insert into accounts (id, account_id, provider_id, person_id) values ($1, $2, $3, $4)', [
    randomUUID(),
    subject,
    provider,
    personId,
  ]);
}

/** Adds a password to a person who has none, and returns its name. */
export async function insertPassword(db: Queryable, personId: string, hash: string): Promise<string> {
  const id = randomUUID();
  await db.query(
    'insert into accounts (id, account_id, provider_id, person_id, password) values ($1, $2, $3, $2, $4)',
    [id, personId, PASSWORD, hash],
  );
  return id;
}

/**
 * Ends a person's password, sessions and tokens in every organization. Needs the person's lock; users come before
 * sessions, as everywhere.
 */
export async function endPassword(db: Queryable, personId: string): Promise<void> {
  await db.query('update users set tokens_valid_from = now(), updated_at = now() where person_id = $1', [personId]);
  await db.query('delete from sessions where person_id = $1', [personId]);
  await db.query('delete from accounts where person_id = $1 and provider_id = $2', [personId, PASSWORD]);
}

/** Sets the password of someone who proved that the mailbox is theirs: the old one, its sessions and tokens end. */
export async function replacePassword(db: Queryable, personId: string, passwordHash: string): Promise<void> {
  await proveAddress(db, personId);
  await endPassword(db, personId);
  await insertPassword(db, personId, passwordHash);
}

/** The one organization that lists an e-mail domain, or null. */
export async function organizationOfDomain(db: Queryable, domain: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string | null }>('select organization_of_domain($1) as id', [domain]);
  return rows[0]?.id ?? null;
}

/** Returns whether an organization other than the given one lists an e-mail domain. */
export async function isDomainOfAnother(db: Queryable, domain: string, orgId: string): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>('select is_domain_of_another($1, $2) as found', [domain, orgId]);
  return rows[0]?.found ?? true;
}

/** The demo organization, or null. */
export async function demoOrganization(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ id: string | null }>('select demo_organization() as id');
  return rows[0]?.id ?? null;
}

export interface StoredSession {
  id: string;
  personId: string;
  /** The membership it acts in. */
  userId: string;
  expiresAt: Date;
}

const SESSION_COLUMNS = `id, person_id as "personId", user_id as "userId", expires_at as "expiresAt"`;

/** Lets a session act in another membership of its person. @returns false if it has ended */
export async function moveSession(db: Queryable, sessionId: string, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'update sessions set user_id = $2, updated_at = now() where id = $1 and expires_at > now()',
    [sessionId, userId],
  );
  return rowCount === 1;
}

/** Ends a session and returns it as it was; null if there is none. */
export async function endSession(db: Queryable, token: string): Promise<StoredSession | null> {
  const { rows } = await db.query<StoredSession>(`delete from sessions where token = $1 returning ${SESSION_COLUMNS}`, [
    token,
  ]);
  return rows[0] ?? null;
}

/** Removes sessions that have ended. */
export async function forgetEndedSessions(db: Queryable): Promise<void> {
  await db.query('delete from sessions where expires_at < now()');
}

/** Runs work in one transaction. */
export async function inTransaction<T>(pool: Pool, work: (db: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    const undone = await client.query('rollback').then(
      () => undefined,
      (fault: Error) => fault,
    );
    client.release(undone);
    throw error;
  }
}
