// What the service records: who came in, went or was refused, and which account changed. Ids and roles, never a secret,
// a password or an address.
//
// What our own code changes is recorded in the transaction of the change, so that one does not stand without the other.
// The one write of the library that matters, a new session, goes through its own connections: it is recorded before it
// is made (see better-auth.ts), so a session that cannot be recorded is not opened. A row of that kind may thus tell of
// a session that a fault then kept from being opened, and no session is without its row.
import type { Pool } from 'pg';
import { newId } from '../db/ids.ts';
import type { RecordRefusals } from '../http/refusals.ts';
import { inTransaction, type Queryable } from './directory.ts';
import { membersOf } from './members.ts';

export interface AuthFact {
  /** `sign_in:accepted`, `account:created`, `password:reset`, `identity:linked` and the like. */
  action: string;
  requestId: string;
  /** A membership, or a person who has none; null when nobody was recognised. */
  user: { id: string } | null;
  /** Ids, roles and codes; field → {before, after} for what changed. */
  changes?: object;
}

/**
 * Adds an audit row to the organization of a membership, or to the installation where there is none. `db` is the
 * transaction of what the row tells of; a refusal changes nothing and stands by itself.
 */
export async function recordAudit(db: Queryable, { action, requestId, user, changes = {} }: AuthFact): Promise<void> {
  await db.query('select record_audit($1, $2, $3, $4, $5)', [
    newId('audit'),
    user?.id ?? null,
    action,
    requestId,
    JSON.stringify(changes),
  ]);
}

/** Adds an audit row of what concerns a person everywhere: to each of their organizations, or to the installation. */
export async function recordPersonAudit(
  db: Queryable,
  person: { id: string } | null,
  fact: Omit<AuthFact, 'user'>,
): Promise<void> {
  const members = person === null ? [] : await membersOf(db, person.id);
  for (const user of members.length > 0 ? members : [person]) await recordAudit(db, { ...fact, user });
}

/**
 * Builds what records the tally of refused credentials: they concern nobody who is known, so they are the
 * installation's.
 */
export function refusalRecorder(accounts: Pool): RecordRefusals {
  return (_orgId, counts) =>
    inTransaction(accounts, async (db) => {
      for (const changes of counts) {
        await recordAudit(db, { action: 'credential:refused', requestId: newId('request'), user: null, changes });
      }
    });
}
