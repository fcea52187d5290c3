/**
 * E-mails certificate holders who wanted to know when theirs no longer applies: the policy is cancelled, or another
 * certificate has replaced it. Each is recorded as sent under its own id, so a retry does not send it twice.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { DocumentWorkflowInput } from '../../contracts/document.ts';
import type { Certificate } from '../../db/entities/document/certificate.ts';
import type { DocumentOrder } from '../../db/entities/document/document-order.ts';
import { Organization } from '../../db/entities/platform/organization.ts';
import { isUndeliverable } from '../../db/queries/delivery/sent-mails.ts';
import {
  certificateOfDocument,
  certificateReplacedBy,
  certificatesToNotify,
} from '../../db/queries/document/certificates.ts';
import { lockOrder } from '../../db/queries/document/document-orders.ts';
import { findDocument } from '../../db/queries/document/documents.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { commandResult, saveCommand } from '../../db/queries/platform/commands.ts';
import { findPolicy, policyTransactions } from '../../db/queries/policy/policies.ts';
import { dayText } from '../../domain/dates.ts';
import { isClaimLetter } from '../../domain/document/kinds.ts';
import { firstIssue, standingCancellation } from '../../domain/policy/stack.ts';
import { businessDay } from '../../plans/platform/business-day.ts';
import type { Mail } from '../../providers/mail-port.ts';
import { auditOf, SYSTEM } from '../audit.ts';
import { type Deps, type Step, transaction } from '../context.ts';
import { handOver, NOT_SENT, rememberRefusal } from '../notice/hand-over.ts';
import { keepMail } from '../notice/sent-mails.ts';
import { mailClaimLetter } from './mail-claim-letter.ts';

/** An e-mail to the holder of a certificate. */
interface Letter {
  kind: 'policy_cancelled' | 'certificate_replaced';
  certificate: Readonly<Certificate>;
  /** The event's id: each holder is notified of it once. */
  occasion: string;
  /** What happened, in a sentence or two. */
  subject: string;
  news: string;
}

/** Notifies the holders that a document concerns, or sends a claim letter. Returns the number of holders. */
export const notifyHolders =
  (deps: Deps) =>
  async ({ orgId, documentId }: DocumentWorkflowInput): Promise<{ holders: number }> => {
    const step = { kind: 'notifyHolders', orgId };
    const found = await transaction(deps, step, async (em) => {
      const order = await lockOrder(em, documentId);
      return order === null ? [] : isClaimLetter(order.kind) ? 'claim' : lettersOf(em, order);
    });
    if (found === 'claim') await mailClaimLetter(deps, step, documentId);
    const letters = found === 'claim' ? [] : found;
    for (const letter of letters) await sendOnce(deps, step, letter);
    return { holders: letters.length };
  };

async function lettersOf(em: EntityManager, order: DocumentOrder): Promise<Letter[]> {
  if (order.kind === 'cancellation_notice') return ofCancellation(em, order);
  if (order.kind === 'certificate') return ofNewCertificate(em, order);
  return [];
}

/** A cancellation since withdrawn or replaced is no news; its replacement has its own notice. */
async function ofCancellation(em: EntityManager, { entityId }: DocumentOrder): Promise<Letter[]> {
  const policyId = entityId ?? '';
  const stack = await policyTransactions(em, policyId);
  const standing = standingCancellation(stack);
  if (standing === null) return [];
  const { effectiveDate, changes } = standing;
  const isNotice = changes.reason === 'non_payment';
  const what = isNotice ? 'We have given notice of cancellation for non-payment.' : 'The policy has been cancelled.';
  const unless = isNotice ? ' unless the premium is paid before that day' : '';
  const certificates = await certificatesToNotify(em, policyId);
  return certificates.map((certificate) => ({
    certificate,
    kind: 'policy_cancelled',
    occasion: firstIssue(stack, standing).id,
    subject: isNotice ? 'Notice of cancellation' : 'Policy cancelled',
    news: `${what} Coverage ends at 12:01 a.m. on ${dayText(effectiveDate)}${unless}.`,
  }));
}

/** A certificate that could not be printed replaces none. */
async function ofNewCertificate(em: EntityManager, { id }: DocumentOrder): Promise<Letter[]> {
  const issued = (await findDocument(em, id)) && (await certificateOfDocument(em, id));
  const earlier = issued && (await certificateReplacedBy(em, issued));
  if (!issued || !earlier?.notifyHolder) return [];
  const news = `Certificate ${issued.certificateNumber} replaces it. Please rely only on the new certificate.`;
  return [{ certificate: earlier, kind: 'certificate_replaced', occasion: id, subject: 'Certificate replaced', news }];
}

async function sendOnce(deps: Deps, step: Step, letter: Letter): Promise<void> {
  const { id, policyId, holder } = letter.certificate;
  const messageId = `holder.${id}.${letter.occasion}@notices.bindery`;
  const found = await transaction(deps, step, async (em) => {
    if ((await commandResult(em, messageId)) !== null) return 'sent';
    if (holder.email === undefined || (await isUndeliverable(em, holder.email))) return 'undeliverable';
    return { ...(await mailOf(em, letter)), to: holder.email, messageId };
  });
  if (found === 'sent') return;
  const mail = found === 'undeliverable' ? null : found;
  const { providerId, refusal } = mail === null ? NOT_SENT : await handOver(deps, mail);
  const result = mail === null || refusal !== null ? 'undeliverable' : 'sent';
  await transaction(deps, step, async (em) => {
    if ((await commandResult(em, messageId)) !== null) return;
    saveCommand(em, messageId, step.kind, { result });
    if (mail !== null) await rememberRefusal(em, mail, refusal);
    if (result === 'sent') {
      const { today: onDate } = await businessDay(em, step.orgId, deps.now());
      const sent = { kind: letter.kind, onDate, messageId, providerId, outcome: result } as const;
      keepMail(em, deps, { policyId, certificateId: id, ...sent });
    }
    const origin = { actor: SYSTEM, requestId: null, entityId: policyId };
    writeAudit(em, auditOf(origin, 'policy:notify_holder', 'policy', { certificate: id, result, messageId }));
    await em.flush();
  });
}

async function mailOf(
  em: EntityManager,
  { certificate, subject, news }: Letter,
): Promise<Pick<Mail, 'subject' | 'text'>> {
  const { orgId, policyId, certificateNumber, holder } = certificate;
  const policy = await findPolicy(em, policyId);
  const organization = await em.findOneOrFail(Organization, { id: orgId });
  const about = [
    `You are the holder of certificate ${certificateNumber},`,
    `issued for policy ${policy?.policyNumber} of ${policy?.insuredName}.`,
  ].join(' ');
  const text = [`${holder.name},`, `${about} ${news}`, organization.name].join('\n\n');
  return { subject: `${subject}: certificate ${certificateNumber}`, text: `${text}\n` };
}
