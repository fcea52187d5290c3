// A policy's delinquency clock: when it runs, and what happens to a notice whose cancellation date a billing hold has
// moved. The rule for unpaid invoices is in delinquency.ts. Contract 3.2 "Delinquency".
import type { BusinessDate } from '../dates.ts';
import { isLive, type PolicyStatus } from '../policy/policy.ts';
import { type DelinquencyStep, type HoldPeriod, nextDelinquencyStep, type UnpaidInvoice } from './delinquency.ts';

/** The steps taken for unpaid premium. */
export interface DelinquencyRecord {
  /** The insured has been notified of everything past due up to this day. */
  remindedUntil: BusinessDate | null;
  /** The day the standing notice of cancellation was sent. */
  noticeOn: BusinessDate | null;
  /** The day a notice was withdrawn, from which the grace period starts over. */
  graceFrom: BusinessDate | null;
  /** The day coverage ends even if the notice is rescinded, through a cancellation waiting behind it. */
  endsAnywayOn: BusinessDate | null;
  /** The last step taken, so that a lost response can be repeated. */
  last: { step: ClockStep['step']; on: BusinessDate } | null;
}

/** The record of a policy that was never past due. */
export const NEVER_BEHIND: DelinquencyRecord = {
  remindedUntil: null,
  noticeOn: null,
  graceFrom: null,
  endsAnywayOn: null,
  last: null,
};

/** The facts of a policy that its clock depends on. */
export interface PolicyClock {
  state: string;
  status: PolicyStatus;
  effectiveDate: BusinessDate;
  expirationDate: BusinessDate;
  /** The day of the pending cancellation; null while there is none. */
  cancellationDate: BusinessDate | null;
  /** The insured requested it: it needs no notice, and no hold moves its date. False by default. */
  isByInsured?: boolean;
  delinquency: DelinquencyRecord | null;
  unpaid: readonly UnpaidInvoice[];
  holds: readonly HoldPeriod[];
  /** The term is a renewal offer: it ends as not taken if its earliest invoice stays unpaid. False by default. */
  isOffer?: boolean;
}

/**
 * `not_taken` ends a renewal offer on the day when notice of cancellation would go out for any other policy; `move`
 * postpones a standing notice; `withdraw` withdraws one whose date would come only after coverage has ended anyway.
 */
export type ClockStep =
  | DelinquencyStep
  | { step: 'move'; on: BusinessDate; lapsesOn: BusinessDate }
  | { step: 'withdraw'; on: BusinessDate }
  | { step: 'not_taken'; on: BusinessDate };

const FIRST_DAY: BusinessDate = '0001-01-01';
const LAST_DAY: BusinessDate = '9999-12-31';

/** Returns the day the standing notice of cancellation for non-payment was sent, or null. */
export function standingNotice({ status, delinquency }: Pick<PolicyClock, 'status' | 'delinquency'>) {
  return status === 'pending_cancellation' ? (delinquency?.noticeOn ?? null) : null;
}

/** Returns the next delinquency step and its day, or null. A past day means now. */
export function nextClockStep(policy: PolicyClock, today: BusinessDate): ClockStep | null {
  const { state, status, unpaid, holds, delinquency, expirationDate, cancellationDate } = policy;
  if (!isLive(status)) return null;
  const noticeSentOn = standingNotice(policy);
  const { remindedUntil } = delinquency ?? NEVER_BEHIND;
  const announcedOn = status === 'pending_cancellation' ? cancellationDate : null;
  const cancelledOn = noticeSentOn === null ? announcedOn : delinquency?.endsAnywayOn;
  const coverageEndsOn = cancelledOn ?? expirationDate;
  const facts = { state, unpaid, noticeSentOn, remindedUntil, coverageEndsOn, holds: [...holds, ...uncounted(policy)] };
  const next = nextDelinquencyStep(facts, today);
  if (noticeSentOn === null || announcedOn === null) return policy.isOffer === true ? ofOffer(next) : next;
  const due = nextDelinquencyStep({ ...facts, remindedUntil: LAST_DAY }, today);
  const clock = policy.isByInsured === true ? asRequested(due, announcedOn) : afterNotice(due, announcedOn, today);
  return next?.step === 'past_due' && next.on < clock.on ? next : clock;
}

/** An offer not taken creates no debt, so no notice demands payment. */
function ofOffer(step: DelinquencyStep | null): ClockStep | null {
  return step?.step === 'notice' ? { step: 'not_taken', on: step.on } : step;
}

/** Coverage ends on the requested day, unless the debt is paid first. */
function asRequested(step: DelinquencyStep | null, announcedOn: BusinessDate): ClockStep {
  return step?.step === 'rescind' ? step : { step: 'lapse', on: announcedOn };
}

/** Coverage never ends before the announced day. */
function afterNotice(step: DelinquencyStep | null, announcedOn: BusinessDate, today: BusinessDate): ClockStep {
  if (step === null) return { step: 'withdraw', on: today };
  if (step.step !== 'lapse') return step;
  if (step.on > announcedOn) return { step: 'move', on: today, lapsesOn: step.on };
  return { step: 'lapse', on: announcedOn };
}

/**
 * Days that do not count, in addition to those of a hold. No notice goes out before coverage begins, and a withdrawn
 * notice starts a new grace period. Another pending cancellation pauses nothing: notice is sent if the lapse would
 * come first.
 */
function uncounted({ state, status, expirationDate, delinquency }: PolicyClock): HoldPeriod[] {
  const pauses = (to: BusinessDate | null) => (to === null ? [] : [{ state, from: FIRST_DAY, to }]);
  return status === 'pending' ? pauses(expirationDate) : pauses(delinquency?.graceFrom ?? null);
}
