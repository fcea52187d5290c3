// A policy's next term: its renewal window and dates, and which policies the daily run takes. Contract 3.2 "renew".
import { addDays, addYears, type BusinessDate, yearOf } from '../dates.ts';
import { DomainError } from '../errors.ts';
import type { CoverageTerm } from '../policy/stack.ts';

/** Days before and after expiration between which a policy can be renewed. Contract 3.2. */
export const RENEWAL_DAYS_BEFORE = 90;
const RENEWAL_DAYS_AFTER = 30;

/** The daily run takes policies that expire within this many days. Contract 3.2. */
export const AUTO_RENEWAL_WITHIN_DAYS = 75;

/** Returns the first and the last day on which a policy can be renewed. Contract 3.2. */
function renewalWindow(expirationDate: BusinessDate): { earliestDate: BusinessDate; latestDate: BusinessDate } {
  return {
    earliestDate: addDays(expirationDate, -RENEWAL_DAYS_BEFORE),
    latestDate: addDays(expirationDate, RENEWAL_DAYS_AFTER),
  };
}

/** Whether a policy can be renewed on a day; both ends of the window are included. Contract 3.2. */
export function isInRenewalWindow(expirationDate: BusinessDate, today: BusinessDate): boolean {
  const { earliestDate, latestDate } = renewalWindow(expirationDate);
  return today >= earliestDate && today <= latestDate;
}

/**
 * Refuses a renewal outside its window; both ends are included.
 * @throws DomainError not_ready with `{earliestDate, latestDate}`. Contract 3.2
 */
export function ensureRenewable(expirationDate: BusinessDate, today: BusinessDate): void {
  if (isInRenewalWindow(expirationDate, today)) return;
  const { earliestDate, latestDate } = renewalWindow(expirationDate);
  throw new DomainError('not_ready', `The policy can be renewed from ${earliestDate} to ${latestDate}.`, {
    earliestDate,
    latestDate,
  });
}

/**
 * Returns the dates of the next term: a year from the day the old one ends, or from a requested later day. Years count
 * from `anchorDate`, the first day of the first term (default: of this one), so that a policy from 29 February returns
 * to that day in leap years; a later start is its own anchor.
 * @throws DomainError outside_policy_term with `{earliestDate, latestDate}` for a start before the old term ends, or
 * after the window
 */
export function nextTerm(
  term: CoverageTerm,
  request: { effectiveDate?: BusinessDate; anchorDate?: BusinessDate } = {},
): CoverageTerm {
  const { effectiveDate = term.expirationDate, anchorDate = term.effectiveDate } = request;
  const { latestDate } = renewalWindow(term.expirationDate);
  if (effectiveDate < term.expirationDate || effectiveDate > latestDate) {
    throw new DomainError('outside_policy_term', `The renewal term cannot begin on ${effectiveDate}.`, {
      earliestDate: term.expirationDate,
      latestDate,
    });
  }
  if (effectiveDate !== term.expirationDate) return { effectiveDate, expirationDate: addYears(effectiveDate, 1) };
  const years = yearOf(effectiveDate) - yearOf(anchorDate) + 1;
  const expirationDate = addYears(anchorDate, years);
  // An anchor that the old term does not follow does not apply to the new one.
  const isAnniversary = addYears(anchorDate, years - 1) === effectiveDate;
  return { effectiveDate, expirationDate: isAnniversary ? expirationDate : addYears(effectiveDate, 1) };
}
