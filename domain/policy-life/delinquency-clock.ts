// The clock of delinquency of a whole policy: when it may run at all, what became of a notice whose day a hold has moved. The rule for what is
// unpaid is in delinquency.ts. Contract 3.2 "Delinquency".
import type { BusinessDate } from '../dates.ts';
import type { PolicyStatus } from '../policy.ts';
import { type BillingHold, type DelinquencyStep, nextDelinquencyStep, type UnpaidInvoice } from './delinquency.ts';

/** In which a policy can fall behind. */
export const IN_FORCE_STATUSES = ['pending', 'active', 'pending_cancellation'] as const satisfies PolicyStatus[];

/** What was done about unpaid premium. */
export interface DelinquencyRecord {
  /** Up to this day the insured has been told which invoices are past due. */
  toldUntil: BusinessDate | null;
  /** The day on which the notice of cancellation that stands went out. */
  noticeOn: BusinessDate | null;
  /** The day on which a notice was taken back: grace is counted from it anew. */
  graceFrom: BusinessDate | null;
  /** The step that was taken last, so that one whose answer was lost can be answered again. */
  last: { step: ClockStep['step']; on: BusinessDate } | null;
}

/** The record of a policy that was never behind. */
export const NEVER_BEHIND: DelinquencyRecord = { toldUntil: null, noticeOn: null, graceFrom: null, last: null };

/** A policy as far as its clock depends on it. */
export interface PolicyClock {
  state: string;
  status: PolicyStatus;
  effectiveDate: BusinessDate;
  expirationDate: BusinessDate;
  /** The day of the cancellation that is announced; null while none is. */
  cancellationDate: BusinessDate | null;
  delinquency: DelinquencyRecord | null;
  unpaid: readonly UnpaidInvoice[];
  holds: readonly BillingHold[];
}

/** `move` gives a notice that stands a later day; `withdraw` takes back one whose day would come only when the cover has ended anyway. */
export type ClockStep =
  | DelinquencyStep
  | { step: 'move'; on: BusinessDate; lapsesOn: BusinessDate }
  | { step: 'withdraw'; on: BusinessDate };

const FIRST_DAY: BusinessDate = '0001-01-01';
const LAST_DAY: BusinessDate = '9999-12-31';

/** Gives the day on which the notice of cancellation for non-payment went out that stands, or null. */
export function standingNotice({ status, delinquency }: Pick<PolicyClock, 'status' | 'delinquency'>) {
  return status === 'pending_cancellation' ? (delinquency?.noticeOn ?? null) : null;
}

/** Gives what happens next to a policy for what is unpaid, and its day, or null. A day that has passed means now. */
export function nextClockStep(policy: PolicyClock, today: BusinessDate): ClockStep | null {
  const { state, status, unpaid, holds, delinquency, expirationDate, cancellationDate } = policy;
  if (!IN_FORCE_STATUSES.some((each) => each === status)) return null;
  const noticeSentOn = standingNotice(policy);
  const { toldUntil } = delinquency ?? NEVER_BEHIND;
  const announcedOn = status === 'pending_cancellation' ? cancellationDate : null;
  const coverageEndsOn = noticeSentOn === null ? (announcedOn ?? expirationDate) : expirationDate;
  const facts = { state, unpaid, noticeSentOn, toldUntil, coverageEndsOn, holds: [...holds, ...uncounted(policy)] };
  const next = nextDelinquencyStep(facts, today);
  if (noticeSentOn === null || announcedOn === null) return next;
  const clock = afterNotice(nextDelinquencyStep({ ...facts, toldUntil: LAST_DAY }, today), announcedOn, today);
  return next?.step === 'past_due' && next.on < clock.on ? next : clock;
}

/** The cover never ends before the day that was announced. */
function afterNotice(step: DelinquencyStep | null, announcedOn: BusinessDate, today: BusinessDate): ClockStep {
  if (step === null) return { step: 'withdraw', on: today };
  if (step.step !== 'lapse') return step;
  if (step.on > announcedOn) return { step: 'move', on: today, lapsesOn: step.on };
  return { step: 'lapse', on: announcedOn };
}

/**
 * Days that do not count besides those of a hold: before the cover begins and while another cancellation is announced no notice goes out,
 * and a notice that was taken back begins a new time of grace.
 */
function uncounted(policy: PolicyClock): BillingHold[] {
  const { state, status, cancellationDate, expirationDate, delinquency } = policy;
  const pauses = (to: BusinessDate | null) => (to === null ? [] : [{ state, from: FIRST_DAY, to }]);
  if (status === 'pending') return pauses(expirationDate);
  if (status === 'pending_cancellation' && standingNotice(policy) === null) return pauses(cancellationDate);
  return pauses(delinquency?.graceFrom ?? null);
}
