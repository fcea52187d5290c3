// The files on claims.
import type { EntityManager } from '@mikro-orm/postgresql';
import { ClaimAttachment } from '../../entities/claim/claim-attachment.ts';
import { findById } from '../../entity-rows.ts';

/** Reads a claim's attachments, newest first, excluding protected ones unless they may be seen. */
export function attachmentsOf(em: EntityManager, claimId: string, isSighted: boolean): Promise<ClaimAttachment[]> {
  const where = isSighted ? { claimId } : { claimId, containsPhi: false };
  return em.find(ClaimAttachment, where, { orderBy: { id: 'desc' } });
}

/** Reads an attachment, or null. */
export function findAttachment(em: EntityManager, id: string): Promise<ClaimAttachment | null> {
  return findById(em, ClaimAttachment, id);
}

/** Reads the first attachment of a claim with these bytes, or null. */
export function attachmentAlike(em: EntityManager, claimId: string, sha256: string): Promise<ClaimAttachment | null> {
  return em.findOne(ClaimAttachment, { claimId, sha256 }, { orderBy: { id: 'asc' } });
}
