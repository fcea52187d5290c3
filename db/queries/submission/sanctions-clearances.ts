// Queries on names that a person has cleared of a sanctions list.
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { SanctionsMatch } from '../../../domain/submission/sanctions.ts';
import { nameKey } from '../../../domain/submission/sanctions-clearance.ts';
import { SanctionsClearance } from '../../entities/submission/sanctions-clearance.ts';
import { findById, lockById } from '../../entity-rows.ts';
import { equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';

/** Reads a clearance, or null. */
export function findSanctionsClearance(em: EntityManager, id: string): Promise<SanctionsClearance | null> {
  return findById(em, SanctionsClearance, id);
}

/** Reads a clearance and locks its row until the transaction ends; null when there is none. */
export function lockSanctionsClearance(em: EntityManager, id: string): Promise<SanctionsClearance | null> {
  return lockById(em, SanctionsClearance, id);
}

/** Reads a page of clearances, newest first, perhaps of one name. @throws DomainError validation_failed (bad cursor) */
export function listSanctionsClearances(
  em: EntityManager,
  { name }: { name?: string | undefined },
  page: PageRequest,
): Promise<Page<SanctionsClearance>> {
  return pageOf(em, SanctionsClearance, [equalTo({ nameKey: name === undefined ? undefined : nameKey(name) })], page);
}

/** Reads the list entries that a name is cleared of, by clearances that were not withdrawn. */
export async function clearedMatches(em: EntityManager, name: string): Promise<SanctionsMatch[]> {
  return matchesOf(await em.find(SanctionsClearance, standing(name)));
}

/** Reads the same, and keeps the clearances from being withdrawn until the transaction ends. */
export async function holdClearedMatches(em: EntityManager, name: string): Promise<SanctionsMatch[]> {
  return matchesOf(await em.find(SanctionsClearance, standing(name), { lockMode: LockMode.PESSIMISTIC_READ }));
}

const standing = (name: string) => ({ nameKey: nameKey(name), withdrawnAt: null });

function matchesOf(rows: readonly SanctionsClearance[]): SanctionsMatch[] {
  return rows.flatMap(({ matches }) => matches);
}
