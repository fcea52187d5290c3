// The clock of one policy that is not paid for: past due, grace, notice of cancellation, lapse; paying all that is past due stops it. One
// clock a policy, set by its earliest unpaid due date. Contract 3.2 "Delinquency", domain facts 2.6 and 6.1.
import { addDays, type BusinessDate, maxDate } from '../dates.ts';
import { nonPaymentNoticeDays } from './notice.ts';

/** Days after the due date on which notice of cancellation goes out. Contract 3.2. */
export const NOTICE_DAYS_AFTER_DUE = 11;

/** An invoice on which something is left to pay. */
export interface UnpaidInvoice {
  id: string;
  dueDate: BusinessDate;
}

/** A time in which a state lets no policy lapse; both ends are part of it. */
export interface BillingHold {
  state: string;
  from: BusinessDate;
  to: BusinessDate;
}

/** What the clock of a policy depends on. */
export interface DelinquencyFacts {
  state: string;
  unpaid: readonly UnpaidInvoice[];
  holds: readonly BillingHold[];
  /** The day on which notice of cancellation for non-payment went out; null while none stands. */
  noticeSentOn: BusinessDate | null;
  /** Up to this day the insured has been told which invoices are past due; null while nothing was said. */
  toldUntil: BusinessDate | null;
  /** The day on which cover ends anyway: expiry, or an earlier scheduled cancellation. */
  coverageEndsOn: BusinessDate;
}

/**
 * What happens next. Its day may have passed, which means now. `past_due` names the invoices whose due date was the day before `on`, or
 * earlier and not told yet; `notice` names the day on which the policy lapses if nothing is paid; `rescind` takes a notice back.
 */
export type DelinquencyStep =
  | { step: 'past_due'; on: BusinessDate; invoiceIds: string[] }
  | { step: 'notice'; on: BusinessDate; lapsesOn: BusinessDate }
  | { step: 'lapse'; on: BusinessDate }
  | { step: 'rescind'; on: BusinessDate };

export type DelinquencyStage = 'settled' | 'in_grace' | 'notice_sent';

/** Tells how far a policy is behind on a day. Domain facts 2.6. */
export function delinquencyStage(
  facts: Pick<DelinquencyFacts, 'unpaid' | 'noticeSentOn'>,
  today: BusinessDate,
): DelinquencyStage {
  if (pastDueInvoices(facts.unpaid, today).length === 0) return 'settled';
  return facts.noticeSentOn === null ? 'in_grace' : 'notice_sent';
}

/** Lists the invoices that are past due on a day, which is from the day after the due date on, the oldest first. */
export function pastDueInvoices<T extends UnpaidInvoice>(unpaid: readonly T[], today: BusinessDate): T[] {
  return unpaid.filter(({ dueDate }) => dueDate < today).toSorted((a, b) => (a.dueDate < b.dueDate ? -1 : 1));
}

/**
 * Gives the next step of a policy's delinquency and its day, or null when nothing is owed or the cover ends before anything could follow.
 * Notice goes out on the 11th day after the due date and names a day the state's days later; of several steps the earliest comes first.
 * Days under a billing hold do not count. A notice whose day would not come before the cover ends anyway is not sent.
 */
export function nextDelinquencyStep(facts: DelinquencyFacts, today: BusinessDate): DelinquencyStep | null {
  const pastDue = nextPastDue(facts, today);
  const clock =
    facts.noticeSentOn === null ? nextNotice(facts, today) : nextAfterNotice(facts, facts.noticeSentOn, today);
  if (pastDue === null || clock === null) return pastDue ?? clock;
  return pastDue.on <= clock.on ? pastDue : clock;
}

/** Gives the day on which a policy lapses after a notice, days under a billing hold not counted. */
export function lapseDate(facts: Pick<DelinquencyFacts, 'state' | 'holds'>, noticeSentOn: BusinessDate): BusinessDate {
  return countDays(noticeSentOn, nonPaymentNoticeDays(facts.state), holdsOf(facts));
}

/** Gives the day on which notice is due for an invoice, days under a billing hold not counted. */
export function noticeDate(facts: Pick<DelinquencyFacts, 'state' | 'holds'>, dueDate: BusinessDate): BusinessDate {
  return countDays(dueDate, NOTICE_DAYS_AFTER_DUE, holdsOf(facts));
}

function nextPastDue(
  { unpaid, toldUntil, coverageEndsOn }: DelinquencyFacts,
  today: BusinessDate,
): DelinquencyStep | null {
  // Past due from the day after the due date on: one that was told by then was due before.
  const unannounced = unpaid.filter(({ dueDate }) => toldUntil === null || dueDate >= toldUntil);
  const [firstDue] = unannounced.map(({ dueDate }) => dueDate).sort();
  if (firstDue === undefined) return null;
  const on = addDays(firstDue, 1);
  if (on >= coverageEndsOn) return null;
  return { step: 'past_due', on, invoiceIds: pastDueInvoices(unannounced, maxDate(on, today)).map(({ id }) => id) };
}

function nextNotice(facts: DelinquencyFacts, today: BusinessDate): DelinquencyStep | null {
  const [dueDate] = facts.unpaid.map((invoice) => invoice.dueDate).sort();
  if (dueDate === undefined) return null;
  const on = afterHold(noticeDate(facts, dueDate), holdsOf(facts), today);
  const lapsesOn = lapseDate(facts, maxDate(on, today));
  return lapsesOn < facts.coverageEndsOn ? { step: 'notice', on, lapsesOn } : null;
}

function nextAfterNotice(
  facts: DelinquencyFacts,
  noticeSentOn: BusinessDate,
  today: BusinessDate,
): DelinquencyStep | null {
  if (pastDueInvoices(facts.unpaid, today).length === 0) return { step: 'rescind', on: today };
  const on = afterHold(lapseDate(facts, noticeSentOn), holdsOf(facts), today);
  return on < facts.coverageEndsOn ? { step: 'lapse', on } : null;
}

/** The day by which so many days have passed that lie under no hold. */
function countDays(from: BusinessDate, days: number, holds: readonly BillingHold[]): BusinessDate {
  if (holds.length === 0) return addDays(from, days);
  let day = from;
  for (let counted = 0; counted < days; counted += 1) day = firstFreeDay(addDays(day, 1), holds);
  return day;
}

/** A step that is late and meets a hold waits for its end. */
function afterHold(on: BusinessDate, holds: readonly BillingHold[], today: BusinessDate): BusinessDate {
  const free = firstFreeDay(today, holds);
  return on <= today && free > today ? free : on;
}

function firstFreeDay(from: BusinessDate, holds: readonly BillingHold[]): BusinessDate {
  const hold = holds.find((each) => each.from <= from && from <= each.to);
  return hold === undefined ? from : firstFreeDay(addDays(hold.to, 1), holds);
}

function holdsOf({ state, holds }: Pick<DelinquencyFacts, 'state' | 'holds'>): BillingHold[] {
  return holds.filter((hold) => hold.state === state);
}
