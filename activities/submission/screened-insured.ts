/**
 * Screens an insured's name before the platform insures someone under that name, or pays them. Domain facts 6.4,
 * decision 0343.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { holdClearedMatches } from '../../db/queries/submission/sanctions-clearances.ts';
import type { SanctionsMatch } from '../../domain/submission/sanctions.ts';
import { unclearedOf } from '../../plans/submission/uncleared-matches.ts';
import type { Deps } from '../context.ts';

/**
 * Returns what stands against the name on the list of today, which may have grown since the last screening. What
 * clears the name cannot be withdrawn before the transaction ends.
 */
export async function screenInsured(
  em: EntityManager,
  { screening }: Pick<Deps, 'screening'>,
  name: string | null | undefined,
): Promise<SanctionsMatch[]> {
  return name ? unclearedOf(em, name, await screening.screen(name), holdClearedMatches) : [];
}
