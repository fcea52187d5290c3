// How many days' notice a carrier owes for cancellation or non-renewal, commercial lines, by state. The table is data;
// surplus-lines policies use it as well, and no mailing days are added. Domain facts 6.1, Contract 3.2.
import { addDays, type BusinessDate, daysBetween } from '../dates.ts';

/** Days of notice. `newBusinessDays` is how long a policy counts as new. */
export interface NoticeRule {
  /** For non-payment of premium. */
  nonPayment: number;
  /** For other reasons while the policy is new. */
  otherWhenNew: number;
  /** For other reasons once the policy is no longer new. */
  otherLater: number;
  nonRenewal: number;
  /** The policy counts as new up to and including this day of coverage. */
  newBusinessDays: number;
  /** Reasons for which the non-payment notice period is enough. */
  likeNonPayment: readonly string[];
}

/** For states without their own row. */
const DEFAULT_NOTICE: NoticeRule = {
  nonPayment: 10,
  otherWhenNew: 30,
  otherLater: 30,
  nonRenewal: 60,
  newBusinessDays: 60,
  likeNonPayment: [],
};

/**
 * The states that differ. Where the law gives a range for non-renewal (CA and NY 60 to 120 days before expiration),
 * the row holds the lower end, the deadline for the notice; an earlier notice is not refused. CA: 30 days for new and
 * other policies alike, and fraud needs no more than non-payment (Ins. Code 677.2). NY: Ins. Law 3426. FL: 627.4133,
 * policies are new for 90 days. TX: 28 TAC 5.7014. IL: 215 ILCS 5/143.16, 143.17a.
 */
const STATE_NOTICES: Readonly<Record<string, Partial<NoticeRule>>> = {
  CA: { likeNonPayment: ['fraud'] },
  NY: { nonPayment: 15, otherWhenNew: 20, otherLater: 15 },
  FL: { otherWhenNew: 20, otherLater: 45, nonRenewal: 45, newBusinessDays: 90 },
  TX: { otherWhenNew: 10, otherLater: 10 },
  IL: { otherLater: 60 },
};

/** Returns a state's days of notice. Domain facts 6.1. */
export function noticeRule(state: string): NoticeRule {
  const own = Object.hasOwn(STATE_NOTICES, state) ? STATE_NOTICES[state] : undefined;
  return { ...DEFAULT_NOTICE, ...own };
}

/** Returns the days of notice before a lapse for non-payment. */
export function nonPaymentNoticeDays(state: string): number {
  return noticeRule(state).nonPayment;
}

/** Returns the days before expiration by which notice of non-renewal must be given. */
export function nonRenewalNoticeDays(state: string): number {
  return noticeRule(state).nonRenewal;
}

/**
 * Returns the days of notice that a carrier owes for a reason. Whether a policy is new is judged on the day of the
 * notice: up to and including `newBusinessDays` after its first day of coverage; a term that has not begun is new.
 */
export function cancellationNoticeDays(facts: {
  state: string;
  reason: string;
  /** First day of coverage; for a renewed policy, of its first term. */
  inForceSince: BusinessDate;
  today: BusinessDate;
}): number {
  const { state, reason, inForceSince, today } = facts;
  const rule = noticeRule(state);
  if (reason === 'non_payment' || rule.likeNonPayment.includes(reason)) return rule.nonPayment;
  return daysBetween(inForceSince, today) <= rule.newBusinessDays ? rule.otherWhenNew : rule.otherLater;
}

/**
 * Returns the first day on which a carrier's cancellation may take effect if notice is given today. Domain facts 6.1
 * "Engine".
 */
export function earliestCarrierDate(facts: {
  state: string;
  reason: string;
  inForceSince: BusinessDate;
  today: BusinessDate;
}): BusinessDate {
  return addDays(facts.today, cancellationNoticeDays(facts));
}
