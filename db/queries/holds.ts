// Locks that a transaction holds besides rows until it ends: on something of the organization that has no row to lock,
// or many.
import type { EntityManager } from '@mikro-orm/postgresql';
import { organizationOf } from '../scope.ts';

const TAKE = { alone: 'pg_advisory_xact_lock', shared: 'pg_advisory_xact_lock_shared' } as const;

/**
 * Waits until no one else in the organization holds `what`, and holds it until the transaction ends. `shared` holders
 * do not wait for each other: they only need it to stay unchanged.
 */
export async function holdUntilCommit(em: EntityManager, what: string, how: keyof typeof TAKE): Promise<void> {
  await em.execute(`select ${TAKE[how]}(hashtextextended(?, 0))`, [`${what}:${organizationOf(em)}`]);
}
