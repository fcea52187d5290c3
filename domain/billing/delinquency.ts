// The delinquency rule for unpaid invoices: past due, grace, notice of cancellation, lapse; paying everything past due
// stops it. One clock per policy, set by its earliest unpaid due date. Contract 3.2 "Delinquency", domain facts 2.6 and
// 6.1.
import { addDays, type BusinessDate, maxDate } from '../dates.ts';
import { nonPaymentNoticeDays } from '../notice/notice.ts';

/** Days after the due date until notice of cancellation is sent. Contract 3.2. */
const NOTICE_DAYS_AFTER_DUE = 11;

/** An invoice with a balance. */
export interface UnpaidInvoice {
  id: string;
  dueDate: BusinessDate;
}

/** A period in which a state allows no lapse; both ends included. */
export interface HoldPeriod {
  state: string;
  from: BusinessDate;
  to: BusinessDate;
}

/** What a policy's clock depends on. */
export interface DelinquencyFacts {
  state: string;
  unpaid: readonly UnpaidInvoice[];
  holds: readonly HoldPeriod[];
  /** The day notice of cancellation for non-payment was sent; null while none is in effect. */
  noticeSentOn: BusinessDate | null;
  /** The insured has been notified of everything past due up to this day; null before the first notification. */
  remindedUntil: BusinessDate | null;
  /** The day coverage ends anyway: expiration, or an earlier scheduled cancellation. */
  coverageEndsOn: BusinessDate;
}

/**
 * The next step. A past day means now. `past_due` names the invoices due the day before `on`, and earlier ones not yet
 * announced; `notice` names the day on which the policy lapses if nothing is paid; `rescind` withdraws a notice.
 */
export type DelinquencyStep =
  | { step: 'past_due'; on: BusinessDate; invoiceIds: string[] }
  | { step: 'notice'; on: BusinessDate; lapsesOn: BusinessDate }
  | { step: 'lapse'; on: BusinessDate }
  | { step: 'rescind'; on: BusinessDate };

/** Lists the invoices past due on a day (from the day after the due date), oldest first. */
function pastDueInvoices<T extends UnpaidInvoice>(unpaid: readonly T[], today: BusinessDate): T[] {
  return unpaid.filter(({ dueDate }) => dueDate < today).toSorted((a, b) => (a.dueDate < b.dueDate ? -1 : 1));
}

/**
 * Returns a policy's next delinquency step and its day, or null when nothing is owed or coverage ends first. Notice
 * goes out on the 11th day after the due date and names a date that allows the state's notice period; the earliest of
 * several steps comes first. Days under a billing hold do not count. No notice is sent if its date would not come
 * before coverage ends anyway.
 */
export function nextDelinquencyStep(facts: DelinquencyFacts, today: BusinessDate): DelinquencyStep | null {
  const pastDue = nextPastDue(facts, today);
  const clock =
    facts.noticeSentOn === null ? nextNotice(facts, today) : nextAfterNotice(facts, facts.noticeSentOn, today);
  if (pastDue === null || clock === null) return pastDue ?? clock;
  return pastDue.on <= clock.on ? pastDue : clock;
}

/** Returns the day on which a policy lapses after a notice, not counting days under a billing hold. */
function lapseDate(facts: Pick<DelinquencyFacts, 'state' | 'holds'>, noticeSentOn: BusinessDate): BusinessDate {
  return countDays(noticeSentOn, nonPaymentNoticeDays(facts.state), holdsOf(facts));
}

/** Returns the day on which notice is due for an invoice, not counting days under a billing hold. */
function noticeDate(facts: Pick<DelinquencyFacts, 'state' | 'holds'>, dueDate: BusinessDate): BusinessDate {
  return countDays(dueDate, NOTICE_DAYS_AFTER_DUE, holdsOf(facts));
}

function nextPastDue(
  { unpaid, remindedUntil, coverageEndsOn }: DelinquencyFacts,
  today: BusinessDate,
): DelinquencyStep | null {
  // An invoice is past due from the day after its due date: one announced by then was due earlier.
  const unannounced = unpaid.filter(({ dueDate }) => remindedUntil === null || dueDate >= remindedUntil);
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
  // Only what was past due when notice went out can end coverage; what fell due since has its own grace period.
  if (pastDueInvoices(facts.unpaid, noticeSentOn).length === 0) return { step: 'rescind', on: today };
  const on = afterHold(lapseDate(facts, noticeSentOn), holdsOf(facts), today);
  return on < facts.coverageEndsOn ? { step: 'lapse', on } : null;
}

/** The day after this many days without a hold. */
function countDays(from: BusinessDate, days: number, holds: readonly HoldPeriod[]): BusinessDate {
  if (holds.length === 0) return addDays(from, days);
  let day = from;
  for (let counted = 0; counted < days; counted += 1) day = firstFreeDay(addDays(day, 1), holds);
  return day;
}

/** An overdue step that falls within a hold waits until the hold ends. */
function afterHold(on: BusinessDate, holds: readonly HoldPeriod[], today: BusinessDate): BusinessDate {
  const free = firstFreeDay(today, holds);
  return on <= today && free > today ? free : on;
}

function firstFreeDay(from: BusinessDate, holds: readonly HoldPeriod[]): BusinessDate {
  const hold = holds.find((each) => each.from <= from && from <= each.to);
  return hold === undefined ? from : firstFreeDay(addDays(hold.to, 1), holds);
}

function holdsOf({ state, holds }: Pick<DelinquencyFacts, 'state' | 'holds'>): HoldPeriod[] {
  return holds.filter((hold) => hold.state === state);
}
