/**
 * Verifies an organization's audit chain: every seal, every row, and that no row lies outside the chain. Finds changes
 * made behind the triggers' back. A chain alone cannot show that its end was cut off; to detect that, keep the last
 * seal's hash elsewhere.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { CHAIN_START, entryHash, sealHash } from '../audit-chain.ts';
import type { AuditSeal } from '../entities/platform/audit-seal.ts';
import type { Database } from '../orm.ts';
import {
  entryBesideChain,
  linkWithoutSeal,
  missingUnsealedEntry,
  type SealedEntry,
  sealedEntries,
  sealsAfter,
  unsealedTail,
} from '../queries/platform/audit-chain.ts';

/** The first inconsistency. */
export interface ChainFault {
  /** An audit row by its id, or a seal by its number. */
  where: { entryId: string } | { sequence: number };
  reason: string;
}

export interface ChainReport {
  orgId: string;
  /** What was verified before the fault. */
  seals: number;
  entries: number;
  /** The last valid seal; keep it elsewhere to detect a chain whose end was cut off. */
  head: { sequence: number; hash: string } | null;
  unsealed: { count: number; oldestAt: Date | null };
  fault: ChainFault | null;
}

const SEALS_AT_ONCE = 20;

/** Verifies one organization (or PLATFORM_SCOPE) as of one instant. */
export function verifyAudit(database: Database, orgId: string): Promise<ChainReport> {
  return database.transaction(orgId, async (em) => {
    await em.execute('set transaction isolation level repeatable read, read only');
    const report: ChainReport = {
      ...{ orgId, seals: 0, entries: 0, head: null, fault: null },
      unsealed: await unsealedTail(em),
    };
    report.fault = (await walkChain(em, report)) ?? (await findStray(em));
    return report;
  });
}

async function walkChain(em: EntityManager, report: ChainReport): Promise<ChainFault | null> {
  for (;;) {
    const seals = await sealsAfter(em, report.head?.sequence ?? 0, SEALS_AT_ONCE);
    const [first, last] = [seals[0], seals.at(-1)];
    if (!first || !last) return null;
    const entries = await sealedEntries(em, first.sequence, last.sequence);
    const bySeal = Map.groupBy(entries, ({ sequence }) => sequence);
    for (const seal of seals) {
      const fault = faultOfSeal(seal, bySeal.get(seal.sequence) ?? [], report);
      if (fault) return fault;
      report.seals += 1;
      report.entries += seal.entryCount;
      report.head = { sequence: seal.sequence, hash: seal.hash };
    }
    em.clear();
  }
}

/** How a seal disagrees with the stored data: the seal before it, its rows and their order, or its own figures. */
function faultOfSeal(seal: AuditSeal, entries: SealedEntry[], { orgId, head }: ChainReport): ChainFault | null {
  const { sequence, entryCount, previousHash } = seal;
  const expected = (head?.sequence ?? 0) + 1;
  if (sequence !== expected) return ofSeal(expected, 'the seal is missing');
  if (previousHash !== (head?.hash ?? CHAIN_START)) return ofSeal(sequence, 'it does not follow the seal before it');
  let hash = previousHash;
  for (const [index, link] of entries.entries()) {
    if (index >= entryCount) return ofEntry(link, `it was inserted into seal ${sequence}`);
    if (link.ordinal !== index + 1) return ofSeal(sequence, `the row at place ${index + 1} is missing`);
    if (link.entry === null) return ofEntry(link, `the row is missing, at place ${link.ordinal} of seal ${sequence}`);
    hash = entryHash(hash, link.entry);
    if (hash !== link.hash) {
      return ofEntry(link, `it is not what was sealed at place ${link.ordinal} of seal ${sequence}`);
    }
  }
  if (entries.length < entryCount) return ofSeal(sequence, `the row at place ${entries.length + 1} is missing`);
  const facts = { orgId, sequence, entryCount, previousHash, lastEntryHash: hash, sealedAtMs: seal.sealedAt.getTime() };
  return seal.hash === sealHash(facts) ? null : ofSeal(sequence, 'its rows or figures are not those that were sealed');
}

/** Rows that no seal in the chain covers. */
async function findStray(em: EntityManager): Promise<ChainFault | null> {
  const unsealed = await linkWithoutSeal(em);
  if (unsealed !== null) return ofEntry({ entryId: unsealed }, 'the seal that covered it is missing');
  const inserted = await entryBesideChain(em);
  if (inserted !== null) return ofEntry({ entryId: inserted }, 'it is outside the chain: inserted, or taken out of it');
  const missing = await missingUnsealedEntry(em);
  return missing === null ? null : ofEntry({ entryId: missing }, 'the row is missing; it was not sealed yet');
}

function ofEntry({ entryId }: { entryId: string }, reason: string): ChainFault {
  return { where: { entryId }, reason };
}

function ofSeal(sequence: number, reason: string): ChainFault {
  return { where: { sequence }, reason };
}
