// The audit of the service: who signed in or out or was refused, and which account changed. It holds ids and roles,
// never a secret, password or address. A change by our own code is recorded in its transaction, so neither exists
// without the other. The one relevant write of the library, a new session, uses its own connections: it is recorded
// first (see better-auth.ts), so a session that cannot be recorded is not opened. Such a row may therefore name a
// session that a fault then prevented, but every session has its row.
import type { Pool } from 'pg';
import { newId } from '../db/ids.ts';
import type { RecordRefusals } from '../http/refusals.ts';
import { inTransaction, type Queryable } from './directory.ts';
import { membersOf } from './members.ts';

export interface AuthFact {
  /** `sign_in:accepted`, `account:created`, `password:reset`, `identity:linked` and the like. */
  action: string;
  requestId: string;
  /** A membership, or a person without one; null if no one was recognized. */
  user: { id: string } | null;
  /** Ids, roles and codes; field → {before, after} for what changed. */
  changes?: object;
}

/**
 * Adds an audit row to the organization of a membership, or to the installation without one. `db` is the transaction of
 * the recorded change; a refusal changes nothing and needs none.
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

/** Adds an audit row about a person as such: to each of their organizations, or to the installation. */
export async function recordPersonAudit(
  db: Queryable,
  person: { id: string } | null,
  fact: Omit<AuthFact, 'user'>,
): Promise<void> {
  const members = person === null ? [] : await membersOf(db, person.id);
  for (const user of members.length > 0 ? members : [person]) await recordAudit(db, { ...fact, user });
}

/**
 * Builds the recorder for the tally of refused credentials: their owner is unknown, so the rows belong to the
 * installation.
 */
export function refusalRecorder(accounts: Pool): RecordRefusals {
  return (_orgId, counts) =>
    inTransaction(accounts, async (db) => {
      for (const changes of counts) {
        await recordAudit(db, { action: 'credential:refused', requestId: newId('request'), user: null, changes });
      }
    });
}
