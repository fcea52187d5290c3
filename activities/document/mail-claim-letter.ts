/**
 * E-mails a printed claim letter to the claimant. If that is not the insured and has no e-mail address, the letter
 * must be posted, and the insured gets a copy that names the claimant. Each is recorded as sent under its own id, so a
 * retry does not send it twice. For a protected claim the e-mail says only that a letter is coming by post; someone
 * must send it. Decision 0188.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Claim } from '../../db/entities/claim/claim.ts';
import type { DocumentOrder } from '../../db/entities/document/document-order.ts';
import { findParticulars } from '../../db/queries/claim/claim-words.ts';
import { findClaim, lockClaim } from '../../db/queries/claim/claims.ts';
import { isUndeliverable } from '../../db/queries/delivery/sent-mails.ts';
import { letterMessageId, lockOrder } from '../../db/queries/document/document-orders.ts';
import { findDocument } from '../../db/queries/document/documents.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { commandResult, saveCommand } from '../../db/queries/platform/commands.ts';
import { findPolicy, holdPolicy } from '../../db/queries/policy/policies.ts';
import { lettersOwed, noteLetter } from '../../domain/claim/clocks.ts';
import { type ClaimLetterKind, LETTER_COPY } from '../../domain/document/kinds.ts';
import { type ClaimLetter, withClaimWords } from '../../plans/document/claim-letter-facts.ts';
import { claimLetterText, letterCopyText } from '../../plans/document/claim-letter-texts.ts';
import { businessDay } from '../../plans/platform/business-day.ts';
import type { Mail } from '../../providers/mail-port.ts';
import { auditOf, SYSTEM } from '../audit.ts';
import { setClocks } from '../claim/claim-command.ts';
import { record, shownFacts } from '../claim/claim-history.ts';
import { type Deps, type Step, transaction } from '../context.ts';
import { handOver, NOT_SENT, rememberRefusal } from '../notice/hand-over.ts';
import { alertLetterToPost, type ToPost } from '../notice/notice-alerts.ts';
import { keepMail } from '../notice/sent-mails.ts';

/** `announced`: the e-mail says that the letter is coming by post. `overtaken`: the letter is out of date. */
type LetterResult = 'sent' | 'announced' | 'overtaken' | Exclude<ToPost, 'protected' | 'bounced'>;

/** Sends an order's letter once; one that can never be printed raises an alert to write it by hand. */
export async function mailClaimLetter(deps: Deps, step: Step, documentId: string): Promise<void> {
  const messageId = letterMessageId(documentId);
  const found = await transaction(deps, step, async (em) => {
    if ((await commandResult(em, messageId)) !== null) return null;
    const order = await lockOrder(em, documentId);
    if (order === null || (order.failure === null && (await findDocument(em, documentId)) === null)) return null;
    const claim = await findClaim(em, order.entityId ?? '');
    return claim === null ? null : outgoingOf(em, claim, order);
  });
  if (found === null) return;
  const mail = found.mail && { ...found.mail, messageId };
  const { providerId, refusal } = mail === null ? NOT_SENT : await handOver(deps, mail);
  const isCopy = found.result === 'no_address';
  const result = refusal === null || isCopy ? found.result : 'refused';
  await transaction(deps, step, async (em) => {
    const order = await lockOrder(em, documentId);
    const { policyId = '' } = (await findClaim(em, order?.entityId ?? '')) ?? {};
    // Before the alert takes the events' counter: a change of the policy takes the two in this order.
    await holdPolicy(em, policyId);
    const claim = await lockClaim(em, order?.entityId ?? '');
    if (order === null || claim === null || (await commandResult(em, messageId)) !== null) return;
    saveCommand(em, messageId, step.kind, { result });
    if (mail !== null) await rememberRefusal(em, mail, refusal);
    if (mail !== null && refusal === null) {
      const { id: claimId } = claim;
      const { input } = order;
      const kind = isCopy ? LETTER_COPY : order.kind;
      keepMail(em, deps, { policyId, claimId, kind, onDate: String(input.on), messageId, providerId, outcome: 'sent' });
    }
    if (result === 'sent') await noteStatusLetter(em, deps, claim, order);
    else if (result !== 'overtaken') {
      const reason = result === 'announced' ? 'protected' : result;
      alertLetterToPost(em, deps, claim, { letter: order.kind, reason });
    }
    const origin = { actor: SYSTEM, requestId: null, entityId: claim.id };
    const changes = { letter: order.kind, document: documentId, result, messageId };
    writeAudit(em, auditOf(origin, 'claim:send_letter', 'claim', changes));
    await em.flush();
  });
}

async function outgoingOf(em: EntityManager, claim: Claim, order: DocumentOrder): Promise<Outgoing> {
  if (isOvertaken(claim, order)) return { result: 'overtaken', mail: null };
  if (order.failure !== null) return { result: 'unprintable', mail: null };
  const facts = await withClaimWords(em, order);
  const letter = { kind: order.kind as ClaimLetterKind, facts };
  const insuredEmail = (await findPolicy(em, claim.policyId))?.insuredEmail ?? null;
  const claimantEmail = (await findParticulars(em, claim.id))?.claimantEmail ?? null;
  const to = claimantEmail ?? (facts.addressee.isInsured ? insuredEmail : null);
  if (to === null) return { result: 'no_address', mail: await copyOf(em, claim, letter, insuredEmail) };
  if (await isUndeliverable(em, to)) return { result: 'undeliverable', mail: null };
  const { containsPhi: isProtected, claimNumber } = claim;
  const { organization, addressee } = facts;
  const mail = {
    to,
    ...claimLetterText(letter, { organization, addressee: addressee.name, claimNumber, isProtected }),
  };
  return { result: isProtected ? 'announced' : 'sent', mail };
}

interface Outgoing {
  result: LetterResult;
  mail: Mail | null;
}

/** The insured's copy of a letter posted to someone else; null without an address or if protected. */
async function copyOf(
  em: EntityManager,
  { containsPhi, claimNumber, insuredName: insured }: Readonly<Claim>,
  letter: { kind: ClaimLetterKind; facts: ClaimLetter },
  to: string | null,
): Promise<Mail | null> {
  if (to === null || containsPhi || (await isUndeliverable(em, to))) return null;
  const { organization } = letter.facts;
  return { to, ...letterCopyText(letter, { organization, claimNumber, insured }) };
}

/** Printing takes time: the claim may have been decided since, or the status letter sent by hand. */
function isOvertaken({ status, clocks }: Readonly<Claim>, { kind, input }: DocumentOrder): boolean {
  if (kind !== 'claim_status') return false;
  const owed = status === 'closed' ? null : lettersOwed(clocks);
  return owed === null || (owed.sentOn ?? '') >= String(input.on);
}

/** A status letter once sent is no longer owed, even if it went out late. */
async function noteStatusLetter(em: EntityManager, deps: Deps, claim: Claim, order: DocumentOrder) {
  if (order.kind !== 'claim_status' || isOvertaken(claim, order)) return;
  const { today } = await businessDay(em, claim.orgId, deps.now());
  const { status, reportedOn: earliest } = claim;
  const before = shownFacts(claim);
  setClocks(claim, noteLetter(claim.clocks, today, { earliest, today, status }));
  const also = { sentOn: { before: null, after: today }, letter: { before: null, after: order.id } };
  record(em, claim, { act: { actor: SYSTEM, requestId: null, on: today }, action: 'status_letter', before, also });
}
