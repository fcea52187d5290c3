/**
 * A claim step's letters are ordered in its transaction: however often the step runs, there is one of each. Decision
 * 0188, domain facts 6.3.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Claim } from '../../db/entities/claim/claim.ts';
import { timedId } from '../../db/ids.ts';
import { placeOrder } from '../../db/queries/document/document-orders.ts';
import type { FieldChanges } from '../../domain/audit.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import type { ClaimLetterKind } from '../../domain/document/kinds.ts';

/** Orders the acknowledgement of a notice; returns what its history entry shows. */
export function orderAcknowledgement(em: EntityManager, claim: Readonly<Claim>, on: BusinessDate) {
  return order(em, claim, { kind: 'claim_acknowledgement', id: documentOf(claim.id), input: { on } });
}

/** Orders a denial letter, which gives the reason. */
export function orderDenial(em: EntityManager, claim: Readonly<Claim>, on: BusinessDate) {
  const { noteId } = claim.denial ?? { noteId: claim.id };
  return order(em, claim, { kind: 'claim_denial', id: documentOf(noteId), input: { on, noteId } });
}

/** Orders an approved settlement's letter. */
export function orderSettlementLetter(em: EntityManager, claim: Readonly<Claim>, on: BusinessDate) {
  const { id, amountCents, deductibleCents, payableCents } = claim.settlement ?? { id: claim.id };
  const input = { on, settlementId: id, amountCents, deductibleCents, payableCents };
  return order(em, claim, { kind: 'claim_settlement', id: documentOf(id), input });
}

/** Orders the letter that says why a claim is still open, due by a day. */
export function orderStatusLetter(em: EntityManager, claim: Readonly<Claim>, dates: { on: string; dueDate: string }) {
  const id = timedId('document', claim.createdAt, `status letter of ${claim.id} by ${dates.dueDate}`);
  return order(em, claim, { kind: 'claim_status', id, input: dates });
}

interface Letter {
  kind: ClaimLetterKind;
  id: string;
  input: Record<string, unknown>;
}

async function order(em: EntityManager, claim: Readonly<Claim>, { kind, id, input }: Letter): Promise<FieldChanges> {
  const of = { entityType: 'claim', entityId: claim.id } as const;
  await placeOrder(em, { id, kind, ...of, input, createdBy: 'system' }, 0);
  return { letter: { before: null, after: id } };
}

/** A letter's id is that of its subject. */
function documentOf(id: string): string {
  return `doc${id.slice(id.indexOf('_'))}`;
}
