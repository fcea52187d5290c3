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

/** Whether notice given today is in time. Domain facts 6.1. */
export function isNoticeInTime(policy: { state: string; expirationDate: BusinessDate }, today: BusinessDate): boolean {
  return daysBetween(today, policy.expirationDate) >= nonRenewalNoticeDays(policy.state);
}

/**
 * Refuses a non-renewal whose notice would be too late.
 * @throws DomainError notice_period_not_met with `{earliestDate}`: the first expiration date for which notice today is
 * in time. Domain facts 6.1
 */
export function ensureNonRenewable(policy: { state: string; expirationDate: BusinessDate; today: BusinessDate }): void {
  if (isNoticeInTime(policy, policy.today)) return;
  const days = nonRenewalNoticeDays(policy.state);
  throw new DomainError(
    'notice_period_not_met',
    `Notice of non-renewal must be given at least ${days} days before expiration.`,
    {
      earliestDate: addDays(policy.today, days),
    },
  );
}
