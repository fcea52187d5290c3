// Reads the sanctions list.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { SanctionsEntry as ListedParty } from '../../../domain/submission/sanctions.ts';
import { SanctionsEntry } from '../../entities/submission/sanctions-entry.ts';
import type { Database } from '../../orm.ts';

/** Reads the installation's list, the same for every organization, as plain data. */
export function sanctionsList(database: Database): Promise<ListedParty[]> {
  return database.acrossOrgs('the sanctions list', entries);
}

async function entries(em: EntityManager): Promise<ListedParty[]> {
  const rows = await em.findAll(SanctionsEntry, { orderBy: { id: 'asc' } });
  return rows.map(({ id, name, program }) => ({ id, name, program }));
}
