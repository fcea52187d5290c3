// The users of the schema `auth`, as the service reads and writes them beside its library. Each function is one
// statement, or a few that belong into one transaction (inTransaction), of the role `bindery_auth`.
import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { UserOrigin } from '../db/entities/user.ts';
import { newId } from '../db/ids.ts';
import type { Role } from '../domain/permissions.ts';
import type { UserStanding } from '../domain/standing.ts';

/** Name of the library for a password as a way to sign in. */
const PASSWORD = 'credential';

export interface StoredUser extends UserStanding {
  id: string;
  email: string;
  name: string;
  emailVerified: boolean;
  origin: UserOrigin;
  /** Both null, or neither. */
  role: Role | null;
  orgId: string | null;
}

export interface Member extends StoredUser {
  role: Role;
  orgId: string;
}

export type Queryable = Pick<Pool | PoolClient, 'query'>;

const COLUMNS = `u.id, u.email, u.name, u.email_verified as "emailVerified", u.origin, u.active, u.role, u.org_id as "orgId",
  u.tokens_valid_from as "tokensValidFrom"`;

/** Reads a user, or null. */
export async function findUser(db: Queryable, id: string): Promise<StoredUser | null> {
  const { rows } = await db.query<StoredUser>(`select ${COLUMNS} from users u where u.id = $1`, [id]);
  return rows[0] ?? null;
}

/** Reads a user and locks the row until the transaction ends; null when there is none. */
export async function lockUser(db: Queryable, id: string): Promise<StoredUser | null> {
  const { rows } = await db.query<StoredUser>(`select ${COLUMNS} from users u where u.id = $1 for update`, [id]);
  return rows[0] ?? null;
}

/** Reads a user by the address in lower case, or null; inside a transaction the row is locked. */
export async function findUserByEmail(db: Queryable, email: string): Promise<StoredUser | null> {
  const { rows } = await db.query<StoredUser>(`select ${COLUMNS} from users u where u.email = $1 for update`, [email]);
  return rows[0] ?? null;
}

/** Reads the user to whom an identity at a provider belongs, or null. */
export async function findUserByIdentity(db: Queryable, provider: string, subject: string): Promise<StoredUser | null> {
  const { rows } = await db.query<StoredUser>(
    `select ${COLUMNS} from accounts a join users u on u.id = a.user_id where a.provider_id = $1 and a.account_id = $2`,
    [provider, subject],
  );
  return rows[0] ?? null;
}

/** Tells whether a user signs in at a provider. */
export async function hasIdentity(db: Queryable, userId: string, provider: string): Promise<boolean> {
  const { rowCount } = await db.query('select from accounts where user_id = $1 and provider_id = $2', [
    userId,
    provider,
  ]);
  return (rowCount ?? 0) > 0;
}

export interface NewUser {
  email: string;
  name: string;
  origin: UserOrigin;
  emailVerified: boolean;
  role: Role | null;
  orgId: string | null;
}

/** Adds a user. @returns null when the address is taken */
export async function insertUser(db: Queryable, user: NewUser): Promise<StoredUser | null> {
  const { email, name, origin, emailVerified, role, orgId } = user;
  const { rows } = await db.query<StoredUser>(
    `insert into users as u (id, email, name, origin, email_verified, role, org_id) values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (email) do nothing returning ${COLUMNS}`,
    [newId('user'), email, name, origin, emailVerified, role, orgId],
  );
  return rows[0] ?? null;
}

/** Makes someone a member with a proven address; tokens he was given before no longer count. */
export async function makeMember(
  db: Queryable,
  id: string,
  member: { role: Role; orgId: string; origin: UserOrigin },
): Promise<StoredUser | null> {
  const { rows } = await db.query<StoredUser>(
    `update users u set role = $2, org_id = $3, origin = $4, email_verified = true, tokens_valid_from = now(),
      version = version + 1, updated_at = now() where u.id = $1 returning ${COLUMNS}`,
    [id, member.role, member.orgId, member.origin],
  );
  return rows[0] ?? null;
}

/** Gives a user another way to sign in. Fails on a second user with the same identity. */
export async function addIdentity(db: Queryable, userId: string, provider: string, subject: string): Promise<void> {
  await db.query('insert into accounts (id, account_id, provider_id, user_id) values ($1, $2, $3, $4)', [
    randomUUID(),
    subject,
    provider,
    userId,
  ]);
}

/** Ends a user's password and every session. */
export async function endPassword(db: Queryable, userId: string): Promise<void> {
  await db.query('delete from accounts where user_id = $1 and provider_id = $2', [userId, PASSWORD]);
  await db.query('delete from sessions where user_id = $1', [userId]);
}

/** Adds a user who signs in with a password. @returns null when the address is taken */
export async function insertPasswordUser(
  db: Queryable,
  user: NewUser,
  passwordHash: string,
): Promise<StoredUser | null> {
  const created = await insertUser(db, user);
  if (created) await insertPassword(db, created.id, passwordHash);
  return created;
}

/** Sets the password of somebody who showed that the mailbox is his: the old one, its sessions and its tokens end. */
export async function replacePassword(db: Queryable, userId: string, passwordHash: string): Promise<void> {
  await db.query(
    'update users set email_verified = true, tokens_valid_from = now(), updated_at = now() where id = $1',
    [userId],
  );
  await endPassword(db, userId);
  await insertPassword(db, userId, passwordHash);
}

/** The one organization that lists an e-mail domain, or null. */
export async function organizationOfDomain(db: Queryable, domain: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string | null }>('select organization_of_domain($1) as id', [domain]);
  return rows[0]?.id ?? null;
}

/** The demo organization, or null. */
export async function demoOrganization(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ id: string | null }>('select demo_organization() as id');
  return rows[0]?.id ?? null;
}

export interface StoredSession {
  id: string;
  userId: string;
  expiresAt: Date;
}

/** Reads a session that has not ended; null when it is gone. */
export async function findSession(db: Queryable, token: string): Promise<StoredSession | null> {
  const { rows } = await db.query<StoredSession>(
    'select id, user_id as "userId", expires_at as "expiresAt" from sessions where token = $1 and expires_at > now()',
    [token],
  );
  return rows[0] ?? null;
}

/** Ends a session and gives it as it was; null when there is none. */
export async function endSession(db: Queryable, token: string): Promise<StoredSession | null> {
  const { rows } = await db.query<StoredSession>(
    'delete from sessions where token = $1 returning id, user_id as "userId", expires_at as "expiresAt"',
    [token],
  );
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

async function insertPassword(db: Queryable, userId: string, hash: string): Promise<void> {
  await db.query('insert into accounts (id, account_id, provider_id, user_id, password) values ($1, $2, $3, $2, $4)', [
    randomUUID(),
    userId,
    PASSWORD,
    hash,
  ]);
}
