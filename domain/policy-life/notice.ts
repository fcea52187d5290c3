// How many days before it takes effect a carrier's cancellation or non-renewal has to be announced, commercial lines, by state. The
// table is data; surplus-lines policies use it as well, and no days are added for the mail. Domain facts 6.1, Contract 3.2.
import { addDays, type BusinessDate, daysBetween } from '../dates.ts';

/** Days of notice. `newBusinessDays` is how long a policy counts as new. */
export interface NoticeRule {
  /** For non-payment of premium. */
  nonPayment: number;
  /** For other reasons while the policy is new. */
  otherWhenNew: number;
  /** For other reasons after that. */
  otherLater: number;
  nonRenewal: number;
  /** The policy is new up to and with this day of cover. */
  newBusinessDays: number;
  /** Reasons for which the days of non-payment are enough. */
  likeNonPayment: readonly string[];
}

/** Where a state has no row of its own. */
export const DEFAULT_NOTICE: NoticeRule = {
  nonPayment: 10,
  otherWhenNew: 30,
  otherLater: 30,
  nonRenewal: 60,
  newBusinessDays: 60,
  likeNonPayment: [],
};

/**
 * The states that differ. Where the law gives a span for non-renewal (CA and NY 60 to 120 days before expiry), the row holds the
 * lower end, by which the notice has to be out; an earlier one is not refused. CA: 30 days for new policies as for others, and fraud
 * needs no more than non-payment (Ins. Code 677.2). NY: Ins. Law 3426. FL: 627.4133, a policy is new for 90 days. TX: 28 TAC 5.7014.
 * IL: 215 ILCS 5/143.16, 143.17a.
 */
export const STATE_NOTICES: Readonly<Record<string, Partial<NoticeRule>>> = {
  CA: { likeNonPayment: ['fraud'] },
  NY: { nonPayment: 15, otherWhenNew: 20, otherLater: 15 },
  FL: { otherWhenNew: 20, otherLater: 45, nonRenewal: 45, newBusinessDays: 90 },
  TX: { otherWhenNew: 10, otherLater: 10 },
  IL: { otherLater: 60 },
};

/** Gives the days of notice of a state. Domain facts 6.1. */
export function noticeRule(state: string): NoticeRule {
  const own = Object.hasOwn(STATE_NOTICES, state) ? STATE_NOTICES[state] : undefined;
  return { ...DEFAULT_NOTICE, ...own };
}

/** Gives the days of notice before a policy lapses for non-payment. */
export function nonPaymentNoticeDays(state: string): number {
  return noticeRule(state).nonPayment;
}

/** Gives the days before expiry by which a non-renewal has to be announced. */
export function nonRenewalNoticeDays(state: string): number {
  return noticeRule(state).nonRenewal;
}

/**
 * Gives the days of notice that a carrier owes for a reason. Whether a policy is new is judged on the day of the notice: `newBusinessDays`
 * after its first day of cover it still is; a term that has not begun is new.
 */
export function cancellationNoticeDays(facts: {
  state: string;
  reason: string;
  /** First day of cover; of a renewed policy that of its first term. */
  inForceSince: BusinessDate;
  today: BusinessDate;
}): number {
  const { state, reason, inForceSince, today } = facts;
  const rule = noticeRule(state);
  if (reason === 'non_payment' || rule.likeNonPayment.includes(reason)) return rule.nonPayment;
  return daysBetween(inForceSince, today) <= rule.newBusinessDays ? rule.otherWhenNew : rule.otherLater;
}

/** Gives the first day on which a carrier's cancellation may take effect when notice goes out today. Domain facts 6.1 "Engine". */
export function earliestCarrierDate(facts: {
  state: string;
  reason: string;
  inForceSince: BusinessDate;
  today: BusinessDate;
}): BusinessDate {
  return addDays(facts.today, cancellationNoticeDays(facts));
}
