// Strong entity tags of row versions, so that a write does not overwrite what its author has not seen. Contract 1
// "ETag".
import { DomainError } from '../../domain/errors.ts';
import { entityTag } from './reply.ts';

/**
 * Checks `If-Match` against the version of a row. `*` matches any version; a weak tag never matches.
 * @throws DomainError precondition_failed
 */
export function ensureMatches(ifMatch: string | undefined, { id, version }: { id: string; version: number }): void {
  if (!namesVersion(ifMatch)) return;
  const current = `"${entityTag(id, version)}"`;
  if (ifMatch.split(',').some((tag) => tag.trim() === current)) return;
  throw new DomainError('precondition_failed', 'The resource has changed since you read it.', { current });
}

/** Says whether `If-Match` names particular versions. */
export function namesVersion(ifMatch: string | undefined): ifMatch is string {
  return ifMatch !== undefined && ifMatch.trim() !== '*';
}
