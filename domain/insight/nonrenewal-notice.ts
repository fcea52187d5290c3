// The last day on which notice of non-renewal of a term may go out, as a deadline of the term. Domain facts 6.1, 6.2.
import { addDays, type BusinessDate } from '../dates.ts';
import { nonRenewalNoticeDays } from '../notice/notice.ts';
import type { PolicyStatus } from '../policy/policy.ts';

export const NONRENEWAL_NOTICE = 'nonrenewal_notice';

/** The last timely day for the notice. */
export function nonRenewalNoticeDue(term: { state: string; expirationDate: BusinessDate }): BusinessDate {
  return addDays(term.expirationDate, -nonRenewalNoticeDays(term.state));
}

const ENDED: readonly PolicyStatus[] = ['cancelled', 'lapsed', 'renewed'];

/**
 * The status of the deadline: notice given has met it, and a term that has ended or is renewed needs none. A
 * cancellation only announced may still be rescinded, and a term that expired without notice has missed it.
 */
export function nonRenewalNoticeStanding(term: {
  status: PolicyStatus;
  renewalPolicyId: string | null;
  nonRenewal: object | null;
}): 'open' | 'filed' | 'withdrawn' {
  if (term.nonRenewal !== null) return 'filed';
  return ENDED.includes(term.status) || term.renewalPolicyId !== null ? 'withdrawn' : 'open';
}
