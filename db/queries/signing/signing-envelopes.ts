// Queries on signing envelopes.
import type { FilterQuery } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { SigningEnvelope } from '../../entities/signing/signing-envelope.ts';
import { findById, lockById } from '../../entity-rows.ts';
import { equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';

export interface EnvelopeFilter {
  status?: string;
  documentId?: string;
  policyId?: string;
  submissionId?: string;
  appointmentId?: string;
}

/** Reads an envelope, or null. */
export function findEnvelope(em: EntityManager, id: string): Promise<SigningEnvelope | null> {
  return findById(em, SigningEnvelope, id);
}

/** Reads an envelope and locks the row until the transaction ends; null when there is none. */
export function lockEnvelope(em: EntityManager, id: string): Promise<SigningEnvelope | null> {
  return lockById(em, SigningEnvelope, id);
}

/**
 * Reads a page of envelopes, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listEnvelopes(
  em: EntityManager,
  filter: EnvelopeFilter,
  page: PageRequest,
): Promise<Page<SigningEnvelope>> {
  return pageOf(em, SigningEnvelope, [equalTo({ ...filter }) as FilterQuery<SigningEnvelope>], page);
}

/**
 * Finds an envelope by the provider's id or ours, in any organization; null for none. Needs the all-organizations
 * scope.
 */
export async function ownerOfEnvelope(
  em: EntityManager,
  { externalIds, envelopeId }: { externalIds: readonly string[]; envelopeId: string | null },
): Promise<{ orgId: string; id: string } | null> {
  const known = await em.findOne(SigningEnvelope, { externalId: { $in: [...externalIds] } });
  // The provider may report an envelope before we have recorded its id.
  const envelope = known ?? (envelopeId === null ? null : await findById(em, SigningEnvelope, envelopeId));
  return envelope && { orgId: envelope.orgId, id: envelope.id };
}
