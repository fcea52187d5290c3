// The members of an organization: findUser, lockUsers, listUsers, inviteUser, endSessions, producerIdsByUser. What is asked
// before an organization is known, in any scope: userStanding, liveSession.
import { type EntityManager, type FilterQuery, LockMode } from '@mikro-orm/postgresql';
import type { Role } from '../../domain/permissions.ts';
import type { UserStanding } from '../../domain/standing.ts';
import { Relation } from '../entities/relation.ts';
import { User } from '../entities/user.ts';
import { containing, equalTo, type Page, type PageRequest, pageOf } from './pages.ts';

/** Reads a user of the organization, or null. */
export function findUser(em: EntityManager, id: string): Promise<User | null> {
  return em.findOne(User, { id });
}

/** Reads users by their ids and locks their rows until the transaction ends, in one order for all who ask. */
export async function lockUsers(em: EntityManager, ids: string[]): Promise<Map<string, User>> {
  const users = await em.find(User, { id: ids }, { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } });
  return new Map(users.map((user) => [user.id, user]));
}

export interface UserFilter {
  role?: string;
  active?: boolean;
  /** Part of the name or the address. */
  q?: string;
}

/**
 * Reads a page of users, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listUsers(em: EntityManager, filter: UserFilter, page: PageRequest): Promise<Page<User>> {
  const { role, active, q } = filter;
  const conditions = [
    equalTo({ role }),
    ...(active === undefined ? [] : [{ active }]),
    ...(q === undefined ? [] : [{ $or: [{ name: containing(q) }, { email: containing(q) }] }]),
  ];
  return pageOf(em, User, conditions as FilterQuery<User>[], page);
}

export interface Invitation {
  id: string;
  /** Lower case. */
  email: string;
  name: string;
  role: Role;
}

/**
 * Makes somebody a user of the organization at once. An account that was made by signing up is taken over and loses the
 * password and sessions it had. Doing it again with the same id changes nothing.
 * @returns the id of the user, or null when the address already belongs to somebody
 */
export async function inviteUser(em: EntityManager, { id, email, name, role }: Invitation): Promise<string | null> {
  const rows = await em.execute<{ id: string | null }[]>('select auth.invite_user(?, ?, ?, ?) as id', [
    id,
    email,
    name,
    role,
  ]);
  return rows[0]?.id ?? null;
}

/** Signs a user of the organization out everywhere. */
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

/** Reads whether a stored user may still be served; null for a subject that is no stored user. */
export async function userStanding(em: EntityManager, userId: string): Promise<UserStanding | null> {
  const rows = await em.execute<{ active: boolean; tokens_valid_from: string | Date | null }[]>(
    'select active, tokens_valid_from from auth.user_standing(?)',
    [userId],
  );
  const row = rows[0];
  if (!row) return null;
  return { active: row.active, tokensValidFrom: instantOf(row.tokens_valid_from) };
}

/** What a session says now: whose it is, and what they are at this moment. */
export interface LiveSession extends UserStanding {
  sessionId: string;
  userId: string;
  /** Both null for a user without an organization. */
  role: Role | null;
  orgId: string | null;
}

/**
 * Reads a session that has not ended, by its token or by its id, with its user; null when it is gone. One statement: role,
 * organization and standing are of the same moment.
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
