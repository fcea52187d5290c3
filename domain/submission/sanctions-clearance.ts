// Clearing a name that only resembles a listed party. A clearance is for one name and for the list entries that a
// person has seen. Domain facts 6.4, decisions 0150 and 0343.
import { DomainError, validationError } from '../errors.ts';
import type { SanctionsMatch } from './sanctions.ts';

/**
 * What two spellings of a name have in common: its letters and words, without case and punctuation. A legal form is a
 * word like any other: Acme LLC is not Acme Ltd. A name without letters or digits stands for itself.
 */
export function nameKey(name: string): string {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .join(' ')
    .trim();
  return words === '' ? name : words;
}

/** The matches of a screening that are not cleared. An entry whose name or program has changed is a new one. */
export function unclearedMatches(
  found: readonly SanctionsMatch[],
  cleared: readonly SanctionsMatch[],
): SanctionsMatch[] {
  const isCleared = ({ entryId, name, program }: SanctionsMatch) =>
    cleared.some((each) => each.entryId === entryId && each.name === name && each.program === program);
  return found.filter((match) => !isCleared(match));
}

/**
 * The matches of a name that a person clears by the ids of their entries.
 * @throws DomainError validation_failed for an entry that the name does not resemble; already_exists if all are cleared
 */
export function matchesToClear(
  entryIds: readonly string[],
  { found, uncleared }: Record<'found' | 'uncleared', readonly SanctionsMatch[]>,
): SanctionsMatch[] {
  for (const [place, id] of entryIds.entries()) {
    if (found.some(({ entryId }) => entryId === id)) continue;
    throw validationError(
      `entryIds.${place}`,
      'unknown_reference',
      'The name does not resemble this entry of the list.',
    );
  }
  const chosen = uncleared.filter(({ entryId }) => entryIds.includes(entryId));
  if (chosen.length === 0) throw new DomainError('already_exists', 'The name is already cleared for these entries.');
  return chosen;
}
