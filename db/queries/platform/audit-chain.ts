// The chain over audit rows: queries to seal it, to verify it, and to show the seal of a row.

import type { EntityManager } from '@mikro-orm/postgresql';
import { ENTRY_TEXT_COLUMNS, type EntryText } from '../../audit-chain.ts';
import { AuditLink } from '../../entities/platform/audit-link.ts';
import { AuditSeal } from '../../entities/platform/audit-seal.ts';
import { addRow } from '../../new-rows.ts';
import { organizationOf } from '../../scope.ts';

/** Any number, the same in every version: the first half of the lock that guards a chain. */
const CHAIN_LOCK = 5_201_873;

/** A link in the chain. */
export interface FilledLink {
  entryId: string;
  ordinal: number;
  hash: string;
}

/** A link with its row; the row is null when it no longer exists. */
export interface SealedEntry extends FilledLink {
  sequence: number;
  entry: EntryText | null;
}

/** Returns the ids of organizations, and PLATFORM_SCOPE, with unsealed rows. Any scope will do. */
export async function unsealedOrganizations(em: EntityManager): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>('select id from organizations_with_unsealed_audit() as waiting (id)');
  return rows.map(({ id }) => id);
}

/** Locks the organization's chain until the transaction ends; false if another process has it. */
export async function holdChain(em: EntityManager): Promise<boolean> {
  const [row] = await em.execute<{ held: boolean }[]>('select pg_try_advisory_xact_lock(?, hashtext(?)) as held', [
    CHAIN_LOCK,
    organizationOf(em),
  ]);
  return row?.held ?? false;
}

/** Reads committed, unsealed rows by id: a row that commits late is sealed later, never skipped. */
export function unsealedEntries(em: EntityManager, limit: number): Promise<EntryText[]> {
  return em.execute<EntryText[]>(
    `select ${ENTRY_TEXT_COLUMNS}
      from audit_links l join audit_entries e on e.org_id = l.org_id and e.id = l.entry_id
      where l.org_id = ? and l.sequence is null order by l.entry_id limit ?`,
    [organizationOf(em), limit],
  );
}

/** Reads the last seal; null before the first. */
export function lastSeal(em: EntityManager): Promise<AuditSeal | null> {
  return em.findOne(AuditSeal, { sequence: { $gt: 0 } }, { orderBy: { sequence: 'desc' } });
}

/**
 * Adds a seal and fills the links of its rows.
 * @throws Error if one of the rows was sealed in the meantime; nothing of the seal stays
 */
export async function saveSeal(
  em: EntityManager,
  seal: Pick<AuditSeal, 'sequence' | 'entryCount' | 'previousHash' | 'hash' | 'sealedAt'>,
  links: readonly FilledLink[],
): Promise<void> {
  addRow(em, AuditSeal, seal);
  await em.flush();
  const filled = await em.execute<unknown[]>(
    `update audit_links l set sequence = ?, ordinal = made.ordinal, hash = made.hash
      from jsonb_to_recordset(?::jsonb) as made ("entryId" text, ordinal int, hash text)
      where l.org_id = ? and l.entry_id = made."entryId" and l.sequence is null returning 1`,
    [seal.sequence, JSON.stringify(links), organizationOf(em)],
  );
  if (filled.length !== links.length) throw new Error('A row of the audit was sealed by someone else');
}

/** Returns the ids of all organizations with audit rows, links or seals. */
export async function auditedOrganizations(em: EntityManager): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select org_id as id from audit_entries union select org_id from audit_links union select org_id from audit_seals
      order by id`,
  );
  return rows.map(({ id }) => id);
}

/** Reads the next seals in order. */
export function sealsAfter(em: EntityManager, sequence: number, limit: number): Promise<AuditSeal[]> {
  return em.find(AuditSeal, { sequence: { $gt: sequence } }, { orderBy: { sequence: 'asc' }, limit });
}

/** Reads the links of some seals with their rows, in chain order. */
export async function sealedEntries(em: EntityManager, from: number, to: number): Promise<SealedEntry[]> {
  const rows = await em.execute<(Nullable<EntryText> & LinkText)[]>(
    `select l.sequence as link_sequence, l.ordinal as link_ordinal, l.entry_id as link_entry_id, l.hash as link_hash,
        ${ENTRY_TEXT_COLUMNS}
      from audit_links l left join audit_entries e on e.org_id = l.org_id and e.id = l.entry_id
      where l.org_id = ? and l.sequence between ? and ? order by l.sequence, l.ordinal`,
    [organizationOf(em), from, to],
  );
  return rows.map(
    ({ link_sequence: sequence, link_ordinal: ordinal, link_entry_id: entryId, link_hash, ...entry }) => ({
      ...{ sequence, ordinal, entryId, hash: link_hash },
      entry: entry.id === null ? null : (entry as EntryText),
    }),
  );
}

type Nullable<T> = { [Key in keyof T]: T[Key] | null };

interface LinkText {
  link_sequence: number;
  link_ordinal: number;
  link_entry_id: string;
  link_hash: string;
}

/** Finds the first row that is neither in the chain nor waiting for it; null when there is none. */
export function entryBesideChain(em: EntityManager): Promise<string | null> {
  return firstId(
    em,
    `select e.id from audit_entries e where e.org_id = ?
      and not exists (select from audit_links l where l.org_id = e.org_id and l.entry_id = e.id) order by e.id limit 1`,
  );
}

/** Finds the first missing row of a seal; null when there is none. */
export function linkWithoutSeal(em: EntityManager): Promise<string | null> {
  return firstId(
    em,
    `select l.entry_id as id from audit_links l where l.org_id = ? and l.sequence is not null
      and not exists (select from audit_seals s where s.org_id = l.org_id and s.sequence = l.sequence)
      order by l.sequence, l.ordinal limit 1`,
  );
}

/** Finds the first row that was waiting to be sealed and no longer exists; null when there is none. */
export function missingUnsealedEntry(em: EntityManager): Promise<string | null> {
  return firstId(
    em,
    `select l.entry_id as id from audit_links l where l.org_id = ? and l.sequence is null
      and not exists (select from audit_entries e where e.org_id = l.org_id and e.id = l.entry_id)
      order by l.entry_id limit 1`,
  );
}

async function firstId(em: EntityManager, sql: string): Promise<string | null> {
  const [row] = await em.execute<{ id: string }[]>(sql, [organizationOf(em)]);
  return row?.id ?? null;
}

/** Counts the unsealed rows, with the instant of the oldest. */
export async function unsealedTail(em: EntityManager): Promise<{ count: number; oldestAt: Date | null }> {
  const [row] = await em.execute<{ count: number; oldest: string | Date | null }[]>(
    `select count(*)::int as count, min(e.created_at) as oldest
      from audit_links l join audit_entries e on e.org_id = l.org_id and e.id = l.entry_id
      where l.org_id = ? and l.sequence is null`,
    [organizationOf(em)],
  );
  return { count: row?.count ?? 0, oldestAt: row?.oldest ? new Date(row.oldest) : null };
}

/** Returns each row's seal; unsealed rows are left out. */
export async function sealsOfEntries(em: EntityManager, entryIds: string[]): Promise<Map<string, AuditSeal>> {
  const links = await em.find(AuditLink, { entryId: { $in: entryIds }, sequence: { $ne: null } });
  const sequences = [...new Set(links.flatMap(({ sequence }) => sequence ?? []))];
  const seals = await em.find(AuditSeal, { sequence: { $in: sequences } });
  const bySequence = new Map(seals.map((seal) => [seal.sequence, seal]));
  return new Map(
    links.flatMap(({ entryId, sequence }) => {
      const seal = bySequence.get(sequence ?? 0);
      return seal ? [[entryId, seal] as const] : [];
    }),
  );
}
