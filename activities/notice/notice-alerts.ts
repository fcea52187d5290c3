// Alerts about notices that did not reach the insured by e-mail, so that somebody posts them: the law counts from a
// notice, and coverage ends by the calendar (docs/decisions/0097-notices-that-cannot-be-sent.md).
import type { EntityManager } from '@mikro-orm/postgresql';
import { writeEvent } from '../../db/queries/platform/events.ts';
import { findPolicy } from '../../db/queries/policy/policies.ts';
import { isRequiredNotice, type NoticeOutcome } from '../../domain/notice/notice-outcome.ts';
import type { Deps } from '../context.ts';

type Failure = Exclude<NoticeOutcome, 'sent'> | 'bounced';

const REASONS: Readonly<Record<Failure, string>> = {
  no_address: 'no e-mail address is on file',
  undeliverable: 'earlier e-mail to the address bounced or drew a complaint',
  bounced: 'the e-mail bounced permanently',
};

/**
 * Raises `financial.operation_failed` with operation `notice.not_delivered` in the caller's transaction, for a notice
 * that the law requires. `reference` is the policy number.
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
