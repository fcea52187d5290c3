// The calendar of an undecided referral: deciders are reminded, and it ends. By the business clock.
import { changedFields } from '../audit.ts';
import { addDays, type BusinessDate, daysBetween } from '../dates.ts';
import type { ReferredFigures } from './referral.ts';

/** Not in the specification. Half the life of a quote; after that, the referral must be requested again. */
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

/** Returns the days of a referral opened today. */
export function newReferralCalendar(today: BusinessDate): ReferralCalendar {
  const expiresOn = addDays(today, WAITING_DAYS);
  return { expiresOn, nextStepOn: nextStepAfter(today, expiresOn) };
}

/** The subject of a referral. */
interface Matter extends ReferredFigures {
  /** The policy change that an approval carries out. */
  request?: object | null;
}

/** Whether a referral requested again has the same subject: if so, its days keep running; otherwise they start over. */
export function concernsSame(before: Matter, after: Matter): boolean {
  const matterOf = ({ limitCents, premiumCents, lineOfBusiness, request = null }: Matter) => {
    return { limitCents, premiumCents, lineOfBusiness, request };
  };
  return Object.keys(changedFields(matterOf(before), matterOf(after))).length === 0;
}

/** Advances an open referral to a day; null if nothing is due. Of several reminders due, only one is sent. */
export function turnReferral({ expiresOn, nextStepOn }: ReferralCalendar, today: BusinessDate): ReferralTurn | null {
  if (nextStepOn > today) return null;
  const daysLeft = daysBetween(today, expiresOn);
  if (daysLeft <= 0) return { kind: 'expired', daysLeft };
  return { kind: 'reminded', daysLeft, nextStepOn: nextStepAfter(today, expiresOn) };
}

function nextStepAfter(day: BusinessDate, expiresOn: BusinessDate): BusinessDate {
  return REMINDED_DAYS.map((days) => addDays(expiresOn, -days)).find((reminder) => reminder > day) ?? expiresOn;
}
