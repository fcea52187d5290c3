// The entries of a sanctions list that stand against a name: those that it resembles and nobody has cleared.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Submission } from '../../db/entities/submission/submission.ts';
import { clearedMatches } from '../../db/queries/submission/sanctions-clearances.ts';
import type { SanctionsMatch } from '../../domain/submission/sanctions.ts';
import { unclearedMatches } from '../../domain/submission/sanctions-clearance.ts';

/** Returns those of a screening's matches that nobody in this organization has cleared for this name. */
export async function unclearedOf(
  em: EntityManager,
  name: string,
  found: readonly SanctionsMatch[],
  read = clearedMatches,
): Promise<SanctionsMatch[]> {
  return found.length === 0 ? [] : unclearedMatches(found, await read(em, name));
}

/** Whether anything found at a submission's last screening still stands against its name. */
export async function isHeldForSanctions(
  em: EntityManager,
  { insuredName, clearance }: Pick<Submission, 'insuredName' | 'clearance'>,
): Promise<boolean> {
  const found = clearance?.sanctionsMatches ?? [];
  return insuredName !== null && (await unclearedOf(em, insuredName, found)).length > 0;
}
