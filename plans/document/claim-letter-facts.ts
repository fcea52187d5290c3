// The content of a letter about a claim. It quotes the claim, so it has the claim's protection.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Claim } from '../../db/entities/claim/claim.ts';
import type { DocumentOrder } from '../../db/entities/document/document-order.ts';
import { findUser } from '../../db/queries/access/users.ts';
import { findParticulars, notesOf, payeeOf, referenceOf } from '../../db/queries/claim/claim-words.ts';
import { findClaim } from '../../db/queries/claim/claims.ts';
import { findPolicy } from '../../db/queries/policy/policies.ts';
import { isClaimLetter } from '../../domain/document/kinds.ts';
import { DomainError } from '../../domain/errors.ts';
import { policyPageFacts } from './common-facts.ts';

/** Reads what a letter says. @throws DomainError not_found */
export async function claimLetterFacts(em: EntityManager, { entityId, input }: DocumentOrder) {
  const claim = await findClaim(em, entityId ?? '');
  const policy = claim && (await findPolicy(em, claim.policyId));
  if (claim === null || policy === null) throw new DomainError('not_found', 'There is no such claim.');
  const { claimNumber: number, lossDate, reportedOn, adjusterId, clocks } = claim;
  const on = String(input.on);
  const { dueDate: decisionBy } = clocks.claim_decision;
  const adjuster = adjusterId === null ? null : await findUser(em, adjusterId);
  return {
    ...(await policyPageFacts(em, policy)),
    letter: { date: on },
    claim: {
      ...{ number, lossDate, reportedOn, adjuster: adjuster?.name ?? null },
      // A day that has passed is no promise.
      decisionBy: decisionBy < on ? null : decisionBy,
      claimant: (await findParticulars(em, claim.id))?.claimantName ?? null,
      ...(await reasonOf(em, claim, input.noteId)),
    },
    settlement: await settlementOf(em, input),
  };
}

async function reasonOf(em: EntityManager, { id }: Readonly<Claim>, noteId: unknown) {
  if (typeof noteId !== 'string') return { reason: null, provision: null };
  return { reason: (await notesOf(em, id)).get(noteId) ?? null, provision: await referenceOf(em, noteId) };
}

async function settlementOf(em: EntityManager, { settlementId, ...amounts }: DocumentOrder['input']) {
  if (typeof settlementId !== 'string') return null;
  const { amountCents: amount, deductibleCents: deductible, payableCents: payable } = amounts;
  return { amount, deductible, payable, payee: await payeeOf(em, settlementId) };
}

/** Whether a document is protected: as its claim is; a letter of a claim that names none is. */
export async function isProtectedOrder(em: EntityManager, order: Readonly<DocumentOrder>): Promise<boolean> {
  const { kind, entityType, entityId, input } = order;
  const isLetter = isClaimLetter(kind) || isClaimLetter(String(input.templateId ?? ''));
  if (entityType !== 'claim') return isLetter;
  return (await findClaim(em, entityId ?? ''))?.containsPhi ?? true;
}
