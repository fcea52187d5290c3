// Notice that a policy will not be renewed: when it may be given. Contract 3.2, domain facts 6.1.
import { addDays, type BusinessDate, daysBetween } from '../dates.ts';
import { DomainError } from '../errors.ts';
import { nonRenewalNoticeDays } from '../notice/notice.ts';

/** A standing notice of non-renewal. */
export interface NonRenewal {
  reason: string;
  /** The day notice was given. */
  noticeDate: BusinessDate;
}

/** Whether notice given today is timely. Domain facts 6.1. */
export function isNoticeInTime(policy: { state: string; expirationDate: BusinessDate }, today: BusinessDate): boolean {
  return daysBetween(today, policy.expirationDate) >= nonRenewalNoticeDays(policy.state);
}

/**
 * Refuses a non-renewal whose notice would be too late.
 * @throws DomainError notice_period_not_met with `{earliestDate}`: the first expiration date for which notice today
 * would be timely. Domain facts 6.1
 */
export function ensureNonRenewable(policy: { state: string; expirationDate: BusinessDate; today: BusinessDate }): void {
  const { state, expirationDate, today } = policy;
  if (isNoticeInTime(policy, today)) return;
  const days = nonRenewalNoticeDays(state);
  const earliestDate = addDays(today, days);
  const tooLate = `Notice of non-renewal in ${state} must be given at least ${days} days before expiration. With notice given today, the earliest date on which the policy could expire is ${earliestDate}, but it expires on ${expirationDate}.`;
  const wayOut =
    'It can still be renewed, also with changed terms; otherwise it expires without notice to the insured.';
  throw new DomainError('notice_period_not_met', `${tooLate} ${wayOut}`, { earliestDate });
}
