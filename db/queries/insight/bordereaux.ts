// Bordereaux: the runs, their versions, and the carriers they go to.
import type { EntityManager } from '@mikro-orm/postgresql';
import { type BusinessDate, lastDayOf, type Month, monthAfter, monthOf } from '../../../domain/dates.ts';
import { type BordereauSubject, carrierDeadlines, TRUST_REMITTANCE } from '../../../domain/insight/bordereau.ts';
import { Document } from '../../entities/document/document.ts';
import { Bordereau } from '../../entities/insight/bordereau.ts';
import { Filing } from '../../entities/insight/filing.ts';
import { findById, lockById } from '../../entity-rows.ts';
import { addRow } from '../../new-rows.ts';
import { organizationOf } from '../../scope.ts';
import { isStillOwed } from '../billing/remittances/owed.ts';
import { holdUntilCommit } from '../holds.ts';
import { equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';

interface NewBordereau extends BordereauSubject {
  id: string;
  through: BusinessDate;
  createdBy: string;
}

/** Reads a bordereau, or null. */
export function findBordereau(em: EntityManager, id: string): Promise<Bordereau | null> {
  return findById(em, Bordereau, id);
}

/** Reads a bordereau and locks its row until the transaction ends; null when there is none. */
export function lockBordereau(em: EntityManager, id: string): Promise<Bordereau | null> {
  return lockById(em, Bordereau, id);
}

/** Reads a page of bordereaux, newest first. @throws DomainError validation_failed for a bad cursor */
export function listBordereaux(
  em: EntityManager,
  filter: { [K in keyof BordereauSubject]?: string | undefined },
  page: PageRequest,
): Promise<Page<Bordereau>> {
  return pageOf(em, Bordereau, [equalTo(filter as Record<string, string>)], page);
}

/** Opens the next version of a bordereau unless it exists, or returns the running one. */
export async function openBordereau(em: EntityManager, bordereau: NewBordereau): Promise<Bordereau> {
  const { id, carrier, month, kind } = bordereau;
  await lockMonth(em, carrier, month);
  const own = await findBordereau(em, id);
  if (own !== null) return own;
  const last = await lastVersion(em, { carrier, month, kind });
  return last?.status === 'running' ? last : addVersion(em, bordereau, last);
}

/** Opens the version for a month that is over, even while one started before the month's end is running. */
export async function openClosedMonth(em: EntityManager, bordereau: NewBordereau): Promise<void> {
  const { carrier, month, kind } = bordereau;
  await lockMonth(em, carrier, month);
  addVersion(em, bordereau, await lastVersion(em, { carrier, month, kind }));
}

async function lastVersion(em: EntityManager, subject: BordereauSubject): Promise<Bordereau | null> {
  const [last] = await em.find(Bordereau, subject, { orderBy: { version: 'desc' }, limit: 1 });
  return last ?? null;
}

function addVersion(em: EntityManager, bordereau: NewBordereau, last: Bordereau | null): Bordereau {
  const version = (last?.version ?? 0) + 1;
  return addRow(em, Bordereau, { ...bordereau, version, status: 'running', totals: null });
}

/** Reads the previous completed version, or null. */
export function versionBefore(
  em: EntityManager,
  { carrier, month, kind, version }: Readonly<Bordereau>,
): Promise<Bordereau | null> {
  const earlier = { carrier, month, kind, status: 'completed' as const, version: { $lt: version } };
  return em.findOne(Bordereau, earlier, { orderBy: { version: 'desc' } });
}

/** Reads the files of bordereaux. */
export function filesOf(em: EntityManager, ids: readonly string[]): Promise<Document[]> {
  return em.find(Document, { entityType: 'bordereau', entityId: { $in: [...ids] }, kind: 'bordereau' });
}

/**
 * Adds a month's deadlines with a carrier, for its bordereaux and for remitting its premium, unless they exist or have
 * passed. There is nothing to remit before the month is over, or if no premium is owed for it.
 */
export async function addCarrierFilings(
  em: EntityManager,
  { carrier, month: period, today }: { carrier: string; month: Month; today: BusinessDate },
): Promise<void> {
  await lockMonth(em, carrier, period);
  for (const { kind, dueDate } of carrierDeadlines(period)) {
    const filing = { carrier, period, kind };
    if (dueDate < today || (await em.count(Filing, filing)) > 0) continue;
    if (kind === TRUST_REMITTANCE && !(await isPremiumDue(em, filing, today))) continue;
    addRow(em, Filing, { ...filing, state: null, dueDate });
  }
}

/**
 * Reads the first month whose bordereaux the calendar has not opened: the one after the latest opened, or else that of
 * the first policy. Null if no policy was bound.
 */
export async function firstUnopenedMonth(em: EntityManager): Promise<Month | null> {
  const [row] = await em.execute<{ through: Month | null; first: BusinessDate | null }[]>(
    `select o.bordereaux_through as through,
       (select min(t.issued_on)::text from policy_transactions t where t.org_id = o.id) as first
     from organizations o where o.id = ?`,
    [organizationOf(em)],
  );
  if (!row?.first) return null;
  return row.through === null ? monthOf(row.first) : monthAfter(row.through);
}

/** Whether a carrier is still owed premium for a month that is over. */
export async function isPremiumDue(
  em: EntityManager,
  { carrier, period }: { carrier: string; period: Month },
  today: BusinessDate,
): Promise<boolean> {
  const last = lastDayOf(period);
  return last < today && (await isStillOwed(em, { kind: 'carrier', payee: carrier }, last));
}

/** Reads the carriers on whose paper a policy was bound by a day, in order. */
export async function carriersWithPolicies(em: EntityManager, by: BusinessDate): Promise<string[]> {
  const rows = await em.execute<{ carrier: string }[]>(
    `select distinct d.carrier from da_contracts d
     where d.org_id = ? and exists (select from policies p
       join policy_transactions t on t.org_id = p.org_id and t.policy_id = p.id and t.sequence = 1
       where p.org_id = d.org_id and p.da_contract_id = d.id and t.issued_on <= ?)
     order by d.carrier`,
    [organizationOf(em), by],
  );
  return rows.map(({ carrier }) => carrier);
}

/** Concurrent openings of reports to a carrier for a month wait here for each other. */
function lockMonth(em: EntityManager, carrier: string, month: Month): Promise<void> {
  return holdUntilCommit(em, `bordereaux of ${month} for ${carrier}`, 'alone');
}
