// A session and the membership it acts in, at one moment. A change that ends sessions gives the memberships a new
// standing in the same transaction: since both are read in one statement, no token gets the new standing for an ended
// session.
import type { Queryable, StoredSession } from './directory.ts';
import { type Member, USER_COLUMNS } from './members.ts';

export interface LiveSession extends StoredSession {
  member: Member;
}

/** Reads a session that has not ended, with its membership; null if it is gone. */
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
