// A session and the membership it acts in, as they are at one moment, and whether a session may stand at all. A change
// that ends a person's sessions holds the person's lock and gives the memberships a new standing in the same
// transaction. A token for the session carries the standing of before, and ends with it, or the session is gone.
import type { Pool } from 'pg';
import { endSession, inTransaction, lockPerson, passwordOf, type Queryable, type StoredSession } from './directory.ts';
import { type Member, USER_COLUMNS } from './members.ts';

export interface LiveSession extends StoredSession {
  member: Member;
}

/** Reads a session that has not ended, with its membership, in one statement; null when it is gone. */
export async function findLiveSession(db: Queryable, token: string): Promise<LiveSession | null> {
  const { rows } = await db.query<Member & { sessionId: string; sessionEnd: Date }>(
    `select s.id as "sessionId", s.expires_at as "sessionEnd", ${USER_COLUMNS}
      from sessions s join users u on u.id = s.user_id and u.person_id = s.person_id
      where s.token = $1 and s.expires_at > now()`,
    [token],
  );
  if (rows[0] === undefined) return null;
  const { sessionId: id, sessionEnd: expiresAt, ...member } = rows[0];
  return { id, personId: member.personId, userId: member.id, expiresAt, member };
}

/**
 * Checks that a session which a password has just opened may stand, and ends it if not. Comparing a password takes a
 * while, and the library writes the session afterwards on a connection of its own: a new password or an accepted
 * invitation meanwhile has ended every session but this one. Under the person's lock no such change can come between.
 * @param passwordId the id that the password had before it was compared
 */
export function isOpenByPassword(accounts: Pool, token: string, passwordId: string | null): Promise<boolean> {
  return inTransaction(accounts, async (db) => {
    const session = await findLiveSession(db, token);
    const person = session && (await lockPerson(db, session.personId));
    if (person === null) return false;
    if (passwordId !== null && (await passwordOf(db, person.email)) === passwordId) return true;
    await endSession(db, token);
    return false;
  });
}
