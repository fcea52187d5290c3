// The users of an organization, members and invited, and what is read about a user before an organization is known.
import { type EntityManager, type FilterQuery, LockMode } from '@mikro-orm/postgresql';
import type { UserStanding } from '../../../domain/access/standing.ts';
import { ID_PREFIXES, isId } from '../../../domain/ids.ts';
import type { Role } from '../../../domain/permissions.ts';
import { Relation } from '../../entities/access/relation.ts';
import { User } from '../../entities/access/user.ts';
import { organizationOf } from '../../scope.ts';
import { containing, equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';

/** Reads a user of the organization, or null. */
export function findUser(em: EntityManager, id: string): Promise<User | null> {
  return em.findOne(User, { id });
}

/** Reads users of the organization by id. */
export async function findUsers(em: EntityManager, ids: string[]): Promise<Map<string, User>> {
  const users = await em.find(User, { id: { $in: ids } });
  return new Map(users.map((user) => [user.id, user]));
}

/**
 * Reads users by their ids and locks them until the transaction ends, in the order used everywhere for locking
 * accounts: people, then users, then their sessions.
 */
export async function lockUsers(em: EntityManager, ids: string[]): Promise<Map<string, User>> {
  const stored = ids.filter((id) => isId(id, ID_PREFIXES.user));
  await em.execute('select auth.hold_people(?)', [`{${stored.join(',')}}`]);
  const users = await em.find(User, { id: ids }, { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } });
  return new Map(users.map((user) => [user.id, user]));
}

/** An invitation, a member, or either of them deactivated. */
export type UserStatus = 'invited' | 'active' | 'deactivated';

/** Returns the status of a user. */
export function userStatus({ active, memberSince }: Pick<User, 'active' | 'memberSince'>): UserStatus {
  if (!active) return 'deactivated';
  return memberSince === null ? 'invited' : 'active';
}

const OF_STATUS: Record<UserStatus, FilterQuery<User>> = {
  invited: { active: true, memberSince: null },
  active: { active: true, memberSince: { $ne: null } },
  deactivated: { active: false },
};

export interface UserFilter {
  role?: string;
  active?: boolean;
  status?: UserStatus;
  /** Part of the name or the address. */
  q?: string;
}

/**
 * Reads a page of users, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listUsers(em: EntityManager, filter: UserFilter, page: PageRequest): Promise<Page<User>> {
  const { role, active, status, q } = filter;
  const conditions = [
    equalTo({ role }),
    ...(active === undefined ? [] : [{ active }]),
    ...(status === undefined ? [] : [OF_STATUS[status]]),
    ...(q === undefined ? [] : [{ $or: [{ name: containing(q) }, { email: containing(q) }] }]),
  ];
  return pageOf(em, User, conditions as FilterQuery<User>[], page);
}

export interface NewInvitation {
  id: string;
  /** Lower case. */
  email: string;
  name: string;
  role: Role;
  /** SHA-256, in hex, of the secret that accepts it. */
  hash: string;
  lifetimeSeconds: number;
}

/**
 * Invites someone to become a user of the organization; they become one by accepting. It looks only at this
 * organization. A self-registered account, or a revoked or expired invitation, is replaced by the new one. Repeating it
 * with the same id gives the invitation another secret and changes nothing else.
 * @returns the id of the user, or null if the address is already a member of the organization or invited
 */
export async function inviteUser(em: EntityManager, invitation: NewInvitation): Promise<string | null> {
  const { id, email, name, role, hash, lifetimeSeconds } = invitation;
  const [row] = await em.execute<{ id: string | null }[]>('select auth.invite_user(?, ?, ?, ?, ?, ?) as id', [
    ...[id, email, name, role, hash],
    lifetimeSeconds,
  ]);
  return row?.id ?? null;
}

/** Returns whether another organization lists the domain of an address. */
export async function isDomainOfAnother(em: EntityManager, email: string): Promise<boolean> {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const [row] = await em.execute<{ found: boolean }[]>('select auth.is_domain_of_another(?, ?) as found', [
    domain,
    organizationOf(em),
  ]);
  return row?.found ?? true;
}

/** Ends a user's sessions that act in the organization. */
export async function endSessions(em: EntityManager, userId: string): Promise<void> {
  await em.execute('select auth.end_sessions(?)', [userId]);
}

/** Reads the producers that users are members of. */
export async function producerIdsByUser(em: EntityManager, userIds: string[]): Promise<Map<string, string[]>> {
  const tuples = await em.find(
    Relation,
    { objectType: 'producer', relation: 'member', subjectType: 'user', subjectId: { $in: userIds } },
    { orderBy: { objectId: 'asc' } },
  );
  const byUser = Map.groupBy(tuples, ({ subjectId }) => subjectId);
  return new Map([...byUser].map(([userId, own]) => [userId, own.map(({ objectId }) => objectId)]));
}

/** Reads whether a user may still be served in their organization; null for a subject that is not a stored user. */
export async function userStanding(em: EntityManager, userId: string): Promise<UserStanding | null> {
  const rows = await em.execute<{ active: boolean; tokens_valid_from: string | Date | null }[]>(
    'select active, tokens_valid_from from auth.user_standing(?)',
    [userId],
  );
  const row = rows[0];
  if (!row) return null;
  return { active: row.active, tokensValidFrom: instantOf(row.tokens_valid_from) };
}

/** Reads `userStanding` for many users; subjects that are not stored users are left out. */
export async function userStandings(
  em: EntityManager,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, UserStanding>> {
  const stored = [...new Set(userIds)].filter((id) => isId(id, ID_PREFIXES.user));
  if (stored.length === 0) return new Map();
  const rows = await em.execute<{ id: string; active: boolean; validFrom: string | Date | null }[]>(
    `select u.id, s.active, s.tokens_valid_from as "validFrom"
      from unnest(?::text[]) u (id) cross join lateral auth.user_standing(u.id) s`,
    [`{${stored.join(',')}}`],
  );
  return new Map(rows.map(({ id, active, validFrom }) => [id, { active, tokensValidFrom: instantOf(validFrom) }]));
}

/** What a session says now: the membership it acts in, and its current state. */
export interface LiveSession extends UserStanding {
  sessionId: string;
  /** The membership, which is what tokens name. */
  userId: string;
  role: Role;
  orgId: string;
}

/**
 * Reads a session that has not ended, by its token or by its id, with its membership; null if it is gone. One
 * statement, so that role, organization and standing are from the same moment.
 */
export async function liveSession(
  em: EntityManager,
  by: { token: string } | { sessionId: string },
): Promise<LiveSession | null> {
  const parameters = 'token' in by ? [by.token, null] : [null, by.sessionId];
  const rows = await em.execute<(Omit<LiveSession, 'tokensValidFrom'> & { validFrom: string | Date | null })[]>(
    `select s.session_id as "sessionId", s.user_id as "userId", u.active, s.role, s.org_id as "orgId",
        u.tokens_valid_from as "validFrom"
      from auth.live_session(?, ?) s cross join lateral auth.user_standing(s.user_id) u`,
    parameters,
  );
  const [row] = rows;
  if (!row) return null;
  const { validFrom, ...session } = row;
  return { ...session, tokensValidFrom: instantOf(validFrom) };
}

function instantOf(value: string | Date | null): Date | null {
  return value === null ? null : new Date(value);
}
