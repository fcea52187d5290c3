// Locks that a transaction holds besides rows until it ends: on something of the organization that has no row to lock,
// or many.
import type { EntityManager } from '@mikro-orm/postgresql';
import { preparedRows } from '../prepared.ts';
import { organizationOf } from '../scope.ts';

const TAKE = {
  alone: { name: 'hold alone', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' },
  shared: { name: 'hold shared', text: 'select pg_advisory_xact_lock_shared(hashtextextended($1, 0))' },
} as const;

/**
 * Waits until no one else in the organization holds `what`, and holds it until the transaction ends. `shared` holders
 * do not wait for each other: they only need it to stay unchanged.
 */
export async function holdUntilCommit(em: EntityManager, what: string, how: keyof typeof TAKE): Promise<void> {
  await preparedRows(em, TAKE[how], [`${what}:${organizationOf(em)}`]);
}
