// Reads the sanctions list.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { SanctionsEntry as ListedParty } from '../../../domain/submission/sanctions.ts';
import { SanctionsEntry } from '../../entities/submission/sanctions-entry.ts';

/** Reads the whole list as plain data. */
export async function sanctionsEntries(em: EntityManager): Promise<ListedParty[]> {
  const rows = await em.findAll(SanctionsEntry, { orderBy: { id: 'asc' } });
  return rows.map(({ id, name, program }) => ({ id, name, program }));
}
