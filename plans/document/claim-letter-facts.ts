// The content of a claim letter. It quotes the claim, so it has the claim's protection.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { DocumentOrder } from '../../db/entities/document/document-order.ts';
import { findUser } from '../../db/queries/access/users.ts';
import { findParticulars, notesOf, payeeOf, referenceOf } from '../../db/queries/claim/claim-words.ts';
import { findClaim } from '../../db/queries/claim/claims.ts';
import { findPolicy } from '../../db/queries/policy/policies.ts';
import type { Address } from '../../domain/address.ts';
import type { Settlement } from '../../domain/claim/settlement.ts';
import { isClaimLetter } from '../../domain/document/kinds.ts';
import { DomainError } from '../../domain/errors.ts';
import { normalizeName } from '../../domain/submission/clearance.ts';
import { policyPageFactsOn } from './common-facts.ts';

/**
 * Reads a letter's content, except the claim's free text, which is stored only with the claim and never changes.
 * @throws DomainError not_found
 */
export async function claimLetterFacts(em: EntityManager, { entityId, input }: Readonly<DocumentOrder>) {
  const claim = await findClaim(em, entityId ?? '');
  const policy = claim && (await findPolicy(em, claim.policyId));
  if (claim === null || policy === null) throw new DomainError('not_found', 'There is no such claim.');
  const { claimNumber: number, lossDate, reportedOn, adjusterId, clocks } = claim;
  const on = String(input.on);
  const { dueDate: decisionBy } = clocks.claim_decision;
  const adjuster = adjusterId === null ? null : await findUser(em, adjusterId);
  return {
    ...(await policyPageFactsOn(em, policy, on)),
    letter: { date: on },
    // A date in the past must not be promised.
    claim: {
      number,
      lossDate,
      reportedOn,
      adjuster: adjuster?.name ?? null,
      decisionBy: decisionBy < on ? null : decisionBy,
    },
    settlement: settlementOf(input),
  };
}

function settlementOf(input: DocumentOrder['input']) {
  if (typeof input.settlementId !== 'string') return null;
  const { amountCents: amount, deductibleCents: deductible, payableCents: payable } = input as unknown as Amounts;
  return { amount, deductible, payable };
}

type Amounts = Pick<Settlement, 'amountCents' | 'deductibleCents' | 'payableCents'>;

/** Adds the claim's free text to a letter's facts, for printing or e-mail. Decision 0040. */
export async function withClaimWords(
  em: EntityManager,
  { entityId, input, facts }: Pick<DocumentOrder, 'entityId' | 'input' | 'facts'>,
) {
  const fixed = facts as unknown as Awaited<ReturnType<typeof claimLetterFacts>>;
  const { noteId, settlementId } = input as Record<string, string | undefined>;
  const claimId = entityId ?? '';
  const { claimantName: claimant = null, claimantAddress = null } = (await findParticulars(em, claimId)) ?? {};
  const words = {
    claimant,
    reason: noteId === undefined ? null : ((await notesOf(em, claimId)).get(noteId) ?? null),
    provision: noteId === undefined ? null : await referenceOf(em, noteId),
  };
  const payee = settlementId === undefined ? null : await payeeOf(em, settlementId);
  const settlement = fixed.settlement && { ...fixed.settlement, payee };
  const addressee = addresseeOf({ name: claimant, address: claimantAddress }, fixed.insured);
  return { ...fixed, addressee, claim: { ...fixed.claim, ...words }, settlement };
}

/** The recipient is the claimant, at the address given; an insured claimant without one, at the insured's address. */
function addresseeOf({ name, address }: { name: string | null; address: Address | null }, insured: Insured) {
  const isInsured = name === null || normalizeName(name) === normalizeName(insured.name);
  return isInsured ? { ...insured, address: address ?? insured.address, isInsured } : { name, address, isInsured };
}

type Insured = Awaited<ReturnType<typeof claimLetterFacts>>['insured'];

export type ClaimLetter = Awaited<ReturnType<typeof withClaimWords>>;

/** Whether a document is protected: as its claim is; a claim letter that names no claim is. */
export async function isProtectedOrder(em: EntityManager, order: Readonly<DocumentOrder>): Promise<boolean> {
  const { kind, entityType, entityId, input } = order;
  const isLetter = isClaimLetter(kind) || isClaimLetter(String(input.templateId ?? ''));
  if (entityType !== 'claim') return isLetter;
  return (await findClaim(em, entityId ?? ''))?.containsPhi ?? true;
}
