// Work on the sums of an organization: in one snapshot, by one process at a time. Decision 0140.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../orm.ts';

/** Any number, the same in every version: the first half of the lock that guards an organization's sums. */
const FACTS_LOCK = 5_201_940;

/** Works exclusively in its own transaction; returns null if another process is working. */
export function inTurn<T>(
  database: Database,
  orgId: string,
  work: (em: EntityManager) => Promise<T>,
): Promise<T | null> {
  return database.transaction(orgId, async (em) => {
    await em.execute('set transaction isolation level repeatable read');
    await em.execute('set local jit = off');
    // Between its statements, the rules may be computing a page of histories.
    await em.execute('set local idle_in_transaction_session_timeout = 0');
    const [row] = await em.execute<{ held: boolean }[]>('select pg_try_advisory_xact_lock(?, hashtext(?)) as held', [
      FACTS_LOCK,
      orgId,
    ]);
    return row?.held === true ? work(em) : null;
  });
}
