// Whether a caller has an answer already, by its entity tag.

/** Says whether `If-None-Match` names an answer, so that the caller has it already. RFC 9110 13.1.2 */
export function isKnown(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
