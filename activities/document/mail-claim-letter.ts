/**
 * A letter about a claim that has been printed goes by e-mail to the claimant, or to the insured where the claimant has
 * no address. Each is recorded as sent under its own id, so a retry does not send it twice. For a protected claim the
 * e-mail says only that a letter follows. Decision 0188.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Claim } from '../../db/entities/claim/claim.ts';
import type { DocumentOrder } from '../../db/entities/document/document-order.ts';
import { Organization } from '../../db/entities/platform/organization.ts';
import { findParticulars } from '../../db/queries/claim/claim-words.ts';
import { findClaim, lockClaim } from '../../db/queries/claim/claims.ts';
import { isUndeliverable } from '../../db/queries/delivery/sent-mails.ts';
import { lockOrder } from '../../db/queries/document/document-orders.ts';
import { findDocument } from '../../db/queries/document/documents.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { commandResult, saveCommand } from '../../db/queries/platform/commands.ts';
import { findPolicy } from '../../db/queries/policy/policies.ts';
import { lettersOwed, noteLetter } from '../../domain/claim/clocks.ts';
import type { Mail } from '../../providers/mail-port.ts';
import { auditOf, SYSTEM } from '../audit.ts';
import { businessDay } from '../business-day.ts';
import { setClocks } from '../claim/claim-command.ts';
import { record, shownFacts } from '../claim/claim-history.ts';
import { type Deps, type Step, transaction } from '../context.ts';
import { claimLetterText } from './claim-letter-texts.ts';

/** Sends the letter of an order once; nothing for one that could not be printed. */
export async function mailClaimLetter(deps: Deps, step: Step, documentId: string): Promise<void> {
  const messageId = `claim-letter.${documentId}@notices.bindery`;
  const found = await transaction(deps, step, async (em) => {
    if ((await commandResult(em, messageId)) !== null) return null;
    const order = await lockOrder(em, documentId);
    if (order === null || (await findDocument(em, documentId)) === null) return null;
    const claim = await findClaim(em, order.entityId ?? '');
    return claim === null ? null : mailOf(em, claim, order);
  });
  if (found === null) return;
  if (typeof found !== 'string') await deps.mail.send({ ...found, messageId });
  const result = typeof found === 'string' ? found : 'sent';
  await transaction(deps, step, async (em) => {
    const order = await lockOrder(em, documentId);
    const claim = await lockClaim(em, order?.entityId ?? '');
    if (order === null || claim === null || (await commandResult(em, messageId)) !== null) return;
    saveCommand(em, messageId, step.kind, { result });
    if (result === 'sent') await noteStatusLetter(em, deps, claim, order);
    const origin = { actor: SYSTEM, requestId: null, entityId: claim.id };
    const changes = { letter: order.kind, document: documentId, result, messageId };
    writeAudit(em, auditOf(origin, 'claim:send_letter', 'claim', changes));
    await em.flush();
  });
}

type Unsent = 'no_address' | 'undeliverable';

async function mailOf(em: EntityManager, claim: Claim, order: DocumentOrder): Promise<Mail | Unsent> {
  const particulars = await findParticulars(em, claim.id);
  const policy = await findPolicy(em, claim.policyId);
  const to = particulars?.claimantEmail ?? policy?.insuredEmail ?? null;
  if (to === null) return 'no_address';
  if (await isUndeliverable(em, to)) return 'undeliverable';
  const { name } = await em.findOneOrFail(Organization, { id: claim.orgId });
  const { containsPhi, insuredName, claimNumber } = claim;
  const addressee = particulars?.claimantEmail ? (particulars.claimantName ?? insuredName) : insuredName;
  return { to, ...claimLetterText(order, { organization: name, addressee, claimNumber, isProtected: containsPhi }) };
}

/** A status letter that was sent is no longer owed. Of a protected claim the e-mail is not the letter itself. */
async function noteStatusLetter(em: EntityManager, deps: Deps, claim: Claim, { kind, input, id }: DocumentOrder) {
  if (kind !== 'claim_status' || claim.containsPhi || claim.status === 'closed') return;
  if (lettersOwed(claim.clocks)?.dueDate !== input.dueDate) return;
  const { today } = await businessDay(em, claim.orgId, deps.now());
  const { status, reportedOn: earliest } = claim;
  const before = shownFacts(claim);
  setClocks(claim, noteLetter(claim.clocks, today, { earliest, today, status }));
  const also = { sentOn: { before: null, after: today }, letter: { before: null, after: id } };
  record(em, claim, { act: { actor: SYSTEM, requestId: null, on: today }, action: 'status_letter', before, also });
}
