// Organizations' flag settings, cached in each process for at most two seconds and dropped when the database announces
// a change. Decision 0142.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { FlagValue } from '../domain/platform/flags.ts';
import { type Listener, listenTo } from './listener.ts';
import type { ScopedDatabase } from './orm.ts';
import { ANY_SCOPE, organizationOf } from './scope.ts';

const KEEP_MS = 2_000;
const CHANNEL = 'flags';

type Overrides = ReadonlyMap<string, FlagValue>;

interface CachedFlags {
  /** Incremented by each change: anything read before it is not cached. */
  changes: number;
  organizations: Map<string, { overrides: Overrides; untilMs: number }>;
}

const KEPT = new WeakMap<object, CachedFlags>();

function keptOf(em: EntityManager): CachedFlags {
  const connection = em.getConnection();
  const kept = KEPT.get(connection) ?? { changes: 0, organizations: new Map() };
  KEPT.set(connection, kept);
  return kept;
}

/**
 * Returns the settings of the scope's organization; `read` reads them if none are cached. Reads in a transaction are
 * not cached: it may see its own uncommitted settings, or miss settings made since it began.
 */
export async function keptOverrides(
  em: EntityManager,
  read: (em: EntityManager) => Promise<Overrides>,
): Promise<Overrides> {
  const [kept, orgId] = [keptOf(em), organizationOf(em)];
  const found = kept.organizations.get(orgId);
  if (found && performance.now() < found.untilMs) return found.overrides;
  const [{ changes }, readMs] = [kept, performance.now()];
  const overrides = await read(em);
  if (kept.changes === changes && !em.isInTransaction())
    kept.organizations.set(orgId, { overrides, untilMs: readMs + KEEP_MS });
  return overrides;
}

/** Forgets the settings of an organization in this process. */
export function forgetOverrides(em: EntityManager, orgId: string): void {
  const kept = keptOf(em);
  kept.changes += 1;
  kept.organizations.delete(orgId);
}

/** Drops settings when the database announces a change, from whichever process. */
export function watchFlags(database: ScopedDatabase, databaseUrl: string): Listener {
  return listenTo(databaseUrl, CHANNEL, (orgId) => {
    void database.forOrg(ANY_SCOPE, async (em) => forgetOverrides(em, orgId));
  });
}
