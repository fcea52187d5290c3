// The places of people in organizations, as the authentication service reads and writes them: each row of `users` is a
// membership, or an offer not yet accepted. Lock the person before adding a membership.
import type { UserOrigin } from '../db/entities/access/user.ts';
import { newId } from '../db/ids.ts';
import type { LinkKey } from '../db/queries/access/password-links.ts';
import type { UserStanding } from '../domain/access/standing.ts';
import type { Role } from '../domain/permissions.ts';
import type { Person, Queryable } from './directory.ts';

/** A row of an organization's list of users. Role, organization and standing are from the same moment. */
export interface UserRow extends UserStanding {
  /** The subject of tokens. */
  id: string;
  /** Null for an offer not yet accepted. */
  personId: string | null;
  orgId: string;
  email: string;
  name: string;
  role: Role;
  origin: UserOrigin;
}

export interface Member extends UserRow {
  personId: string;
}

/** Of the row `u` of `users`. */
export const USER_COLUMNS = `u.id, u.person_id as "personId", u.org_id as "orgId", u.email, u.name, u.role, u.origin, u.active,
  u.tokens_valid_from as "tokensValidFrom"`;

/** Reads a row, member or offer, or null. */
export async function findUser(db: Queryable, id: string): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>(`select ${USER_COLUMNS} from users u where u.id = $1`, [id]);
  return rows[0] ?? null;
}

/** Reads a membership, including a deactivated one, or null. */
export async function findMember(db: Queryable, id: string): Promise<Member | null> {
  const { rows } = await db.query<Member>(
    `select ${USER_COLUMNS} from users u where u.id = $1 and u.person_id is not null`,
    [id],
  );
  return rows[0] ?? null;
}

/** Reads all memberships of a person, including deactivated ones, last used first. */
export async function membersOf(db: Queryable, personId: string): Promise<Member[]> {
  const { rows } = await db.query<Member>(
    `select ${USER_COLUMNS} from users u where u.person_id = $1
      order by u.last_used_at desc nulls last, u.member_since desc, u.id desc`,
    [personId],
  );
  return rows;
}

/** Reads the names of organizations by id. */
export async function organizationNames(db: Queryable, orgIds: string[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; name: string }>(
    'select id, organization_name(id) as name from unnest($1::text[]) id',
    [orgIds],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Reads a person's active membership in an organization and keeps it from changing until the transaction ends. */
export async function holdMembership(db: Queryable, personId: string, orgId: string): Promise<Member | null> {
  const { rows } = await db.query<Member>(
    `select ${USER_COLUMNS} from users u where u.person_id = $1 and u.org_id = $2 and u.active for update`,
    [personId, orgId],
  );
  return rows[0] ?? null;
}

/** Reads an organization's row for an address, member or offer, and locks it; null when there is none. */
export async function lockUserOfAddress(db: Queryable, orgId: string, email: string): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>(
    `select ${USER_COLUMNS} from users u where u.org_id = $1 and u.email = $2 for update`,
    [orgId, email],
  );
  return rows[0] ?? null;
}

/** Reads an open offer by its secret and locks it; null when it is wrong, accepted, revoked or expired. */
export async function findOffer(db: Queryable, { id, hash }: LinkKey): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>(
    `select ${USER_COLUMNS} from users u where u.id = $1 and u.invitation_hash = $2 and ${OPEN} for update`,
    [id, hash],
  );
  return rows[0] ?? null;
}

/**
 * Turns an open offer into a membership, and begins its standing. With `hash`, only if that is still its secret.
 * @returns null if it is no longer open
 */
export async function acceptUser(
  db: Queryable,
  userId: string,
  { person, role, hash }: { person: Person; role: Role; hash: string | null },
): Promise<Member | null> {
  const { rows } = await db.query<Member>(
    `update users u set person_id = $2, role = $3, email_verified = true, member_since = now(), last_used_at = now(),
        invitation_hash = null, invitation_expires_at = null, tokens_valid_from = now(), version = version + 1,
        updated_at = now()
      where u.id = $1 and u.email = $4 and ($5::text is null or (u.invitation_hash = $5 and ${OPEN}))
        and u.active and u.person_id is null returning ${USER_COLUMNS}`,
    [userId, person.id, role, person.email, hash],
  );
  return rows[0] ?? null;
}

/** Makes a person a member. @returns null if the organization already has the address */
export async function insertMember(
  db: Queryable,
  person: Person,
  { orgId, role, origin }: Pick<UserRow, 'orgId' | 'role' | 'origin'>,
): Promise<Member | null> {
  const { rows } = await db.query<Member>(
    `insert into users as u
        (id, person_id, org_id, email, name, role, origin, email_verified, member_since, last_used_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, now(), now())
      on conflict (org_id, email) do nothing returning ${USER_COLUMNS}`,
    [newId('user'), person.id, orgId, person.email, person.name, role, origin, person.emailVerified],
  );
  return rows[0] ?? null;
}

/** Gives an active member another role and origin; earlier tokens no longer count. Null if they are not active. */
export async function changeMember(
  db: Queryable,
  id: string,
  { role, origin }: Pick<UserRow, 'role' | 'origin'>,
): Promise<Member | null> {
  const { rows } = await db.query<Member>(
    `update users u set role = $2, origin = $3, tokens_valid_from = now(), last_used_at = now(),
        version = version + 1, updated_at = now()
      where u.id = $1 and u.person_id is not null and u.active returning ${USER_COLUMNS}`,
    [id, role, origin],
  );
  return rows[0] ?? null;
}

/** Records that a membership is the one last used by its person. */
export async function markUsed(db: Queryable, id: string): Promise<void> {
  await db.query('update users set last_used_at = now() where id = $1', [id]);
}

const OPEN = 'u.person_id is null and u.active and u.invitation_expires_at > now()';
