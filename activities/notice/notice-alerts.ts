// Alerts about notices and letters that did not go out by e-mail, so that someone posts them: legal periods run from a
// notice, coverage ends by the calendar, and a denial must be in writing. Decisions 0097, 0188.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Claim } from '../../db/entities/claim/claim.ts';
import { writeEvent } from '../../db/queries/platform/events.ts';
import { findPolicy } from '../../db/queries/policy/policies.ts';
import { isRequiredNotice, type NoticeOutcome } from '../../domain/notice/notice-outcome.ts';
import type { Deps } from '../context.ts';

type Failure = Exclude<NoticeOutcome, 'sent'> | 'bounced' | 'failed' | 'refused';

const REASONS: Readonly<Record<Failure, string>> = {
  no_address: 'no e-mail address is on file',
  undeliverable: 'earlier e-mail to the address bounced or drew a complaint',
  bounced: 'the e-mail bounced permanently',
  failed: 'the email provider could not send the e-mail',
  refused: 'the mail server refused the e-mail permanently',
};

/** Why a claim letter must be posted. */
export type ToPost = Failure | 'protected' | 'unprintable';

const WHY: Readonly<Record<ToPost, string>> = {
  ...REASONS,
  protected: 'the claim is protected',
  unprintable: 'its template cannot be printed',
};

/**
 * Raises `financial.operation_failed` with operation `letter.not_delivered` in the caller's transaction. `reference`
 * is the claim number; the event repeats nothing from the letter.
 */
export function alertLetterToPost(
  em: EntityManager,
  deps: Deps,
  { id: claimId, claimNumber, policyId }: Readonly<Claim>,
  { letter, reason }: { letter: string; reason: ToPost },
): void {
  const operation = 'letter.not_delivered';
  deps.logger.error({ operation, claimId, letter, reason }, 'A letter about a claim has to be posted.');
  const message = `The letter \`${letter}\` on claim ${claimNumber} did not go by e-mail: ${WHY[reason]}. Mail a paper copy today.`;
  const facts = { severity: 'critical', requiresManualReview: true, operation, message, workflowId: null } as const;
  const about = { paymentId: null, invoiceId: null, policyId, reference: claimNumber };
  writeEvent(em, 'financial.operation_failed', { ...facts, ...about }, new Date(deps.now()));
}

/**
 * Raises `financial.operation_failed` with operation `notice.not_delivered` in the caller's transaction, for a legally
 * required notice. `reference` is the policy number.
 */
export async function alertNoticeNotDelivered(
  em: EntityManager,
  deps: Deps,
  { policyId, kind, outcome }: { policyId: string; kind: string; outcome: Failure },
): Promise<void> {
  const policy = isRequiredNotice(kind) ? await findPolicy(em, policyId) : null;
  if (policy === null) return;
  const operation = 'notice.not_delivered';
  deps.logger.error({ operation, policyId, kind, outcome }, 'A required notice did not reach the insured.');
  const message = `The notice \`${kind}\` did not reach the insured: ${REASONS[outcome]}. Mail a paper copy today.`;
  const facts = { severity: 'critical', requiresManualReview: true, operation, message, workflowId: null } as const;
  const about = { paymentId: null, invoiceId: null, policyId, reference: policy.policyNumber };
  writeEvent(em, 'financial.operation_failed', { ...facts, ...about }, new Date(deps.now()));
}
