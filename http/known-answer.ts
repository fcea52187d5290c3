// Whether a caller already has a response, by its entity tag.

/** Returns whether `If-None-Match` names a response, so that the caller already has it. RFC 9110 13.1.2 */
export function isKnown(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
