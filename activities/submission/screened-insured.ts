/** Screens an insured's name before the platform insures it under that name. Domain facts 6.4, decision 0343. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { SanctionsMatch } from '../../domain/submission/sanctions.ts';
import { unclearedOf } from '../../plans/submission/uncleared-matches.ts';
import type { Deps } from '../context.ts';

/** Returns what stands against the name on the list of today, which may have grown since the last screening. */
export async function screenInsured(
  em: EntityManager,
  { screening }: Pick<Deps, 'screening'>,
  name: string | null | undefined,
): Promise<SanctionsMatch[]> {
  return name ? unclearedOf(em, name, await screening.screen(name)) : [];
}
