/**
 * Seals the audit: chains the rows added since each organization's last seal. Any number of processes may run it at
 * once; the one that holds a chain's lock extends that chain and the others skip it. Writers of audit rows never wait
 * for it.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { CHAIN_START, entryHash, sealHash } from '../audit-chain.ts';
import { isUnavailable } from '../faults.ts';
import type { Database } from '../orm.ts';
import {
  type FilledLink,
  holdChain,
  lastSeal,
  saveSeal,
  unsealedEntries,
  unsealedOrganizations,
} from '../queries/platform/audit-chain.ts';
import { organizationOf, PLATFORM_SCOPE } from '../scope.ts';

export interface SealingOptions {
  /** The most rows one seal covers. */
  limit: number;
  /** Milliseconds since 1970. */
  now: () => number;
  logger: Logger;
}

export interface SealingRound {
  seals: number;
  entries: number;
  /** True when an organization may have more rows than one seal covers. */
  isMoreLikely: boolean;
}

/**
 * Adds at most one seal to the chain of each organization with unsealed rows. A chain that cannot be extended does not
 * hold up the others; the fault is logged and retried in the next round.
 * @throws an error for which isUnavailable is true when the database is unavailable
 */
export async function sealAudit(database: Database, options: SealingOptions): Promise<SealingRound> {
  const { limit, logger } = options;
  const round: SealingRound = { seals: 0, entries: 0, isMoreLikely: false };
  for (const orgId of await database.forOrg(PLATFORM_SCOPE, unsealedOrganizations)) {
    try {
      const count = await database.transaction(orgId, (em) => addSeal(em, options));
      round.seals += count > 0 ? 1 : 0;
      round.entries += count;
      round.isMoreLikely ||= count === limit;
    } catch (error) {
      if (isUnavailable(error)) await database.ping();
      logger.error({ orgId, err: error }, 'the audit of an organization could not be sealed');
    }
  }
  return round;
}

/** @returns the number of rows in the new seal; zero when nothing is unsealed or another process holds the lock */
async function addSeal(em: EntityManager, { limit, now }: SealingOptions): Promise<number> {
  if (!(await holdChain(em))) return 0;
  const entries = await unsealedEntries(em, limit);
  if (entries.length === 0) return 0;
  const last = await lastSeal(em);
  const sequence = (last?.sequence ?? 0) + 1;
  const previousHash = last?.hash ?? CHAIN_START;
  const links: FilledLink[] = [];
  let lastEntryHash = previousHash;
  for (const entry of entries) {
    lastEntryHash = entryHash(lastEntryHash, entry);
    links.push({ entryId: entry.id, ordinal: links.length + 1, hash: lastEntryHash });
  }
  const sealedAtMs = now();
  const facts = { orgId: organizationOf(em), sequence, entryCount: entries.length, previousHash };
  const hash = sealHash({ ...facts, lastEntryHash, sealedAtMs });
  await saveSeal(em, { ...facts, hash, sealedAt: new Date(sealedAtMs) }, links);
  return entries.length;
}
