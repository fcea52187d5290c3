// Strong entity tags: the version of the row, so that a write does not overwrite changes its author has not seen, and a
// hash of the response, which also has derived values and depends on the reader. Contract 1 "ETag", RFC 9110 8.8.3.
import { createHash } from 'node:crypto';
import { DomainError } from '../../domain/errors.ts';
import { canonical } from './canonical-json.ts';
import { entityTag } from './reply.ts';

/**
 * Returns the header of a response: the tag of the row's version, and a hash of the body. Field order does not matter:
 * a stored document may have another one.
 */
export function etagHeader(versionTag: string, body: unknown): string {
  const hash = createHash('sha256').update(canonical(body)).digest('base64url');
  return `"${versionTag}.${hash.slice(0, HASH_CHARACTERS)}"`;
}

/** 132 bits. */
const HASH_CHARACTERS = 22;

/**
 * Checks `If-Match` against the version of a row: derived values and what only this reader sees do not prevent a write.
 * `*` matches any version; a weak tag never matches.
 * @throws DomainError precondition_failed
 */
export function ensureMatches(ifMatch: string | undefined, { id, version }: { id: string; version: number }): void {
  if (!namesVersion(ifMatch)) return;
  const current = entityTag(id, version);
  const isCurrent = (tag: string) => tag === `"${current}"` || (tag.startsWith(`"${current}.`) && tag.endsWith('"'));
  if (ifMatch.split(',').some((tag) => isCurrent(tag.trim()))) return;
  throw new DomainError('precondition_failed', 'The resource has changed since you read it.', {
    current: `"${current}"`,
  });
}

/** Returns whether `If-Match` names particular versions. */
export function namesVersion(ifMatch: string | undefined): ifMatch is string {
  return ifMatch !== undefined && ifMatch.trim() !== '*';
}
