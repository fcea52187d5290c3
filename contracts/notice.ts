// Notices to the insured, and the input of the workflow that e-mails one.
import type { BusinessDate } from '../domain/dates.ts';
import type { NoticeKind } from '../domain/notice/notice-kind.ts';

/**
 * A notice to a policy's insured; at most one of a kind per day, or per transaction. Its text is composed when it is
 * sent.
 */
export interface Notice {
  kind: NoticeKind;
  on: BusinessDate;
  /** Set if there may be several of a kind on one day: the transaction, bill or attempt concerned. */
  transactionId?: string;
}

/** An e-mail to a policy's insured. */
export interface NoticeWorkflowInput extends Notice {
  orgId: string;
  policyId: string;
}
