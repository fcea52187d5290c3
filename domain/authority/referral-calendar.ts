// The calendar of a referral that nobody decides: those who may are reminded, and it ends. By the business clock.
import { changedFields } from '../audit.ts';
import { addDays, type BusinessDate, daysBetween } from '../dates.ts';
import type { ReferredFigures } from './referral.ts';

/** Not in the specification. Half as long as a quote is good: what has waited longer is requested again. */
const WAITING_DAYS = 14;
/** Days before the end, the first after three days. */
const REMINDED_DAYS = [11, 7, 2] as const;

/** The days of an open referral. */
export interface ReferralCalendar {
  /** The day on which it ends without a decision. */
  expiresOn: BusinessDate;
  /** The day of the next reminder, or of the end. */
  nextStepOn: BusinessDate;
}

/** What a day does to an open referral. */
export type ReferralTurn =
  | { kind: 'reminded'; daysLeft: number; nextStepOn: BusinessDate }
  | { kind: 'expired'; daysLeft: number };

/** Gives the days of a referral that is opened today. */
export function newReferralCalendar(today: BusinessDate): ReferralCalendar {
  const expiresOn = addDays(today, WAITING_DAYS);
  return { expiresOn, nextStepOn: nextStepAfter(today, expiresOn) };
}

/** What a referral concerns. */
interface Matter extends ReferredFigures {
  /** The change of a policy that an approval carries out. */
  request?: object | null;
}

/** Whether a referral that is requested again concerns the same: then its days go on, otherwise they begin again. */
export function concernsSame(before: Matter, after: Matter): boolean {
  const matterOf = ({ limitCents, premiumCents, lineOfBusiness, request = null }: Matter) => {
    return { limitCents, premiumCents, lineOfBusiness, request };
  };
  return Object.keys(changedFields(matterOf(before), matterOf(after))).length === 0;
}

/** Turns an open referral to a day; null when nothing is due. Of several reminders that have come due one is made. */
export function turnReferral({ expiresOn, nextStepOn }: ReferralCalendar, today: BusinessDate): ReferralTurn | null {
  if (nextStepOn > today) return null;
  const daysLeft = daysBetween(today, expiresOn);
  if (daysLeft <= 0) return { kind: 'expired', daysLeft };
  return { kind: 'reminded', daysLeft, nextStepOn: nextStepAfter(today, expiresOn) };
}

function nextStepAfter(day: BusinessDate, expiresOn: BusinessDate): BusinessDate {
  return REMINDED_DAYS.map((days) => addDays(expiresOn, -days)).find((reminder) => reminder > day) ?? expiresOn;
}
