// What people say and write about a claim. The api writes it before the step that needs it, so that no workflow carries
// it; writing it again under the same id changes nothing.
import type { EntityManager } from '@mikro-orm/postgresql';
import { ClaimNote } from '../../entities/claim/claim-note.ts';
import { ClaimParticulars } from '../../entities/claim/claim-particulars.ts';
import { ClaimPayee } from '../../entities/claim/claim-payee.ts';
import { ClaimReference } from '../../entities/claim/claim-reference.ts';
import { organizationOf } from '../../scope.ts';

export type Particulars = Omit<ClaimParticulars, 'orgId' | 'createdAt' | 'claimantAddress'> &
  Partial<Pick<ClaimParticulars, 'claimantAddress'>>;

/** Keeps the particulars of a loss immediately. */
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

/** Keeps a reason or a note immediately. */
export async function keepNote(em: EntityManager, note: Pick<ClaimNote, 'id' | 'claimId' | 'text'>): Promise<void> {
  const { id, claimId, text } = note;
  await em.execute(
    'insert into claim_notes (id, org_id, claim_id, text) values (?, ?, ?, ?) on conflict (id) do nothing',
    [id, organizationOf(em), claimId, text],
  );
}

/** Keeps who is to be paid, under the id of the settlement, immediately. */
export async function keepPayee(em: EntityManager, payee: Pick<ClaimPayee, 'id' | 'claimId' | 'name'>): Promise<void> {
  const { id, claimId, name } = payee;
  await em.execute(
    'insert into claim_payees (id, org_id, claim_id, name) values (?, ?, ?, ?) on conflict (id) do nothing',
    [id, organizationOf(em), claimId, name],
  );
}

/**
 * Keeps what a payment or a recovery refers to, or the provision of a denial, immediately; nothing without a text. The
 * id is that of the payment, the recovery, the denial's note.
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

/** Reads what a payment or a recovery refers to, or the provision of a denial; null without one. */
export async function referenceOf(em: EntityManager, id: string): Promise<string | null> {
  return (await em.findOne(ClaimReference, { id }))?.text ?? null;
}

/** Reads references by the ids of what they are of. */
export async function referencesOf(em: EntityManager, ids: readonly string[]): Promise<Map<string, string>> {
  const references = await em.find(ClaimReference, { id: { $in: [...ids] } });
  return new Map(references.map(({ id, text }) => [id, text]));
}

/** Reads who is to be paid by a settlement, or null. */
export async function payeeOf(em: EntityManager, settlementId: string): Promise<string | null> {
  return (await em.findOne(ClaimPayee, { id: settlementId }))?.name ?? null;
}

/** Reads the particulars of a loss, or null. */
export function findParticulars(em: EntityManager, claimId: string): Promise<ClaimParticulars | null> {
  return em.findOne(ClaimParticulars, { claimId });
}

/** Reads the texts of a claim's notes by their ids. */
export async function notesOf(em: EntityManager, claimId: string): Promise<Map<string, string>> {
  const notes = await em.find(ClaimNote, { claimId });
  return new Map(notes.map(({ id, text }) => [id, text]));
}

/** Older ones were looked at on the days before. */
const LOOKED_AT_MS = 7 * 86_400_000;

/**
 * Forgets at most `limit` particulars that no claim has come of although they are older than `beforeMs`, milliseconds
 * since 1970; needs the scope of all organizations. Answers how many.
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
