// What people say and write about a claim. The api writes it before the step that needs it, so that no workflow carries
// it; writing it again under the same id changes nothing.
import type { EntityManager } from '@mikro-orm/postgresql';
import { ClaimNote } from '../../entities/claim/claim-note.ts';
import { ClaimParticulars } from '../../entities/claim/claim-particulars.ts';
import { ClaimPayee } from '../../entities/claim/claim-payee.ts';
import { organizationOf } from '../../scope.ts';

export type Particulars = Omit<ClaimParticulars, 'orgId' | 'createdAt'>;

/** Keeps the particulars of a loss immediately. */
export async function keepParticulars(em: EntityManager, given: Particulars): Promise<void> {
  await em.execute(
    `insert into claim_particulars (org_id, claim_id, description, cause, reported_by, loss_location,
       claimant_name, claimant_email, claimant_phone)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (claim_id) do nothing`,
    [
      ...[organizationOf(em), given.claimId, given.description, given.cause, given.reportedBy, given.lossLocation],
      ...[given.claimantName, given.claimantEmail, given.claimantPhone],
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
