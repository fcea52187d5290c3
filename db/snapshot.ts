// Reads that belong together: whatever is committed in between, all see the same state as the first.
import type { EntityManager } from '@mikro-orm/postgresql';
import { transactional } from './prepared.ts';

/** Runs reads in one snapshot. Within a transaction they run as part of it. */
export function inOneSnapshot<T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> {
  if (em.isInTransaction()) return work(em);
  return transactional(em, async (inner) => {
    await inner.execute('set transaction isolation level repeatable read, read only');
    // The planner cannot estimate the days of a term, and would JIT-compile statements that take a millisecond.
    await inner.execute('set local jit = off');
    return work(inner);
  });
}
