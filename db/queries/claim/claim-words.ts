// What people say and write about a claim. The api writes it before the step that needs it, so that no workflow carries
// it; writing it again under the same id changes nothing.
import type { EntityManager } from '@mikro-orm/postgresql';
import { ClaimNote } from '../../entities/claim/claim-note.ts';
import { ClaimParticulars } from '../../entities/claim/claim-particulars.ts';
import { ClaimPayee } from '../../entities/claim/claim-payee.ts';
import { ClaimReference } from '../../entities/claim/claim-reference.ts';
import { findById } from '../../entity-rows.ts';
import { organizationOf } from '../../scope.ts';

export type Particulars = Omit<ClaimParticulars, 'orgId' | 'createdAt' | 'claimantAddress'> &
  Partial<Pick<ClaimParticulars, 'claimantAddress'>>;

/** Stores the particulars of a loss immediately. */
export async function keepParticulars(em: EntityManager, given: Particulars): Promise<void> {
  await em.execute(
    `insert into claim_particulars (org_id, claim_id, description, cause, reported_by, loss_location,
       claimant_name, claimant_email, claimant_phone, claimant_address)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, cast(? as jsonb)) on conflict (claim_id) do nothing`,
    [
      ...[organizationOf(em), given.claimId, given.description, given.cause, given.reportedBy, given.lossLocation],
      ...[given.claimantName, given.claimantEmail, given.claimantPhone],
      given.claimantAddress ? JSON.stringify(given.claimantAddress) : null,
    ],
  );
}

/** Stores a reason or note immediately. */
export async function keepNote(em: EntityManager, note: Pick<ClaimNote, 'id' | 'claimId' | 'text'>): Promise<void> {
  const { id, claimId, text } = note;
  await em.execute(
    'insert into claim_notes (id, org_id, claim_id, text) values (?, ?, ?, ?) on conflict (id) do nothing',
    [id, organizationOf(em), claimId, text],
  );
}

/** Stores the payee under the settlement id immediately. */
export async function keepPayee(em: EntityManager, payee: Pick<ClaimPayee, 'id' | 'claimId' | 'name'>): Promise<void> {
  const { id, claimId, name } = payee;
  await em.execute(
    'insert into claim_payees (id, org_id, claim_id, name) values (?, ?, ?, ?) on conflict (id) do nothing',
    [id, organizationOf(em), claimId, name],
  );
}

/**
 * Stores the reference of a payment or recovery, or the provision of a denial, immediately; does nothing without a
 * text. The id is that of the payment, recovery or denial note.
 */
export async function keepReference(
  em: EntityManager,
  { id, claimId, text }: Pick<ClaimReference, 'id' | 'claimId'> & { text: string | undefined },
): Promise<void> {
  if (text === undefined) return;
  await em.execute(
    'insert into claim_references (id, org_id, claim_id, text) values (?, ?, ?, ?) on conflict (id) do nothing',
    [id, organizationOf(em), claimId, text],
  );
}

/** Reads the reference of a payment or recovery, or the provision of a denial; null without one. */
export async function referenceOf(em: EntityManager, id: string): Promise<string | null> {
  return (await findById(em, ClaimReference, id))?.text ?? null;
}

/** Reads references by the ids of their payments, recoveries or notes. */
export async function referencesOf(em: EntityManager, ids: readonly string[]): Promise<Map<string, string>> {
  const references = await em.find(ClaimReference, { id: { $in: [...ids] } });
  return new Map(references.map(({ id, text }) => [id, text]));
}

/** Reads the payee of a settlement, or null. */
export async function payeeOf(em: EntityManager, settlementId: string): Promise<string | null> {
  return (await findById(em, ClaimPayee, settlementId))?.name ?? null;
}

/** Reads the particulars of a loss, or null. */
export function findParticulars(em: EntityManager, claimId: string): Promise<ClaimParticulars | null> {
  return em.findOne(ClaimParticulars, { claimId });
}

/** Reads the texts of a claim's notes by id. */
export async function notesOf(em: EntityManager, claimId: string): Promise<Map<string, string>> {
  const notes = await em.find(ClaimNote, { claimId });
  return new Map(notes.map(({ id, text }) => [id, text]));
}

/** Older ones were checked on earlier days. */
const LOOKED_AT_MS = 7 * 86_400_000;

/**
 * Deletes at most `limit` particulars older than `beforeMs` (milliseconds since 1970) that never became a claim; needs
 * the all-organizations scope. Returns the number deleted.
 */
export async function forgetUnclaimed(em: EntityManager, beforeMs: number, limit: number): Promise<number> {
  const deleted = await em.execute(
    `delete from claim_particulars where claim_id in
     (select p.claim_id from claim_particulars p where p.created_at between ? and ?
        and not exists (select from claims c where c.org_id = p.org_id and c.id = p.claim_id) limit ?)
     returning claim_id`,
    [new Date(beforeMs - LOOKED_AT_MS), new Date(beforeMs), limit],
  );
  return deleted.length;
}
