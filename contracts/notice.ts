// Notices to the insured: their kinds, and the input of the workflow that e-mails one.
import type { BusinessDate } from '../domain/dates.ts';

/** The occasions for a notice to the insured. */
const NOTICE_KINDS = [
  'past_due',
  'notice',
  'move',
  'withdraw',
  'rescind',
  'lapse',
  'not_taken',
  'cancellation',
  'non_renewal',
  'non_renewal_withdrawal',
  'autopay_upcoming',
  'autopay_failed',
  'autopay_suspended',
] as const;

export type NoticeKind = (typeof NOTICE_KINDS)[number];

/**
 * A notice to a policy's insured; at most one of a kind per day, or per transaction. Its text is composed when it is
 * sent.
 */
export interface Notice {
  kind: NoticeKind;
  on: BusinessDate;
  /** Set where there may be several of a kind on one day: the transaction, bill or attempt that it is about. */
  transactionId?: string;
}

/** An e-mail to the insured of a policy. */
export interface NoticeWorkflowInput extends Notice {
  orgId: string;
  policyId: string;
}
