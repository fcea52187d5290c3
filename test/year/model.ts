// What a year does to a policy, worked out day by day and independently of the code under test: when it is paid, when
// notice goes out, when it lapses, is cancelled, renewed or expires, and what is written in the end, part by part.
// Contract 3.2, domain facts 3.2, 3.6, 6.1.
import { billsOf, type Day, type Days, forDaysLeft, keptAtShortRate, type Parts, partsOf } from './premium.ts';
import { type Held, heldInAll } from './shares.ts';
import { type Bill, type Ending, heldOf, isPaid, NEW_TERM, payFor, type Term, write } from './term.ts';
import { type Turn, type TurnDeed, turnOn } from './turns.ts';

/** How an insured pays, or leaves. */
export type Habit =
  | { kind: 'prompt' }
  /** This many days after each due date. */
  | { kind: 'late'; days: number }
  /** The day before the policy would lapse. */
  | { kind: 'at_the_last_moment' }
  /** Pays this many installments and no more. */
  | { kind: 'stops'; after: number }
  /** Pays promptly; requests cancellation on a day of the term, as of that day. */
  | { kind: 'leaves'; on: Day }
  /** Pays promptly; on a day of the term the carrier announces that it will not renew. */
  | { kind: 'not_wanted'; on: Day }
  /** Pays promptly; something else happens in the first term. */
  | { kind: 'turns'; turn: Turn };

export interface Insured {
  state: string;
  habit: Habit;
  /** Days of the first term; the expiration day is not part of it. */
  effective: Day;
  expiration: Day;
  /** Of the first term. */
  dueDays: readonly Day[];
  /** The next term's, if there is one: the same calendar days, a year later. */
  next: { expiration: Day; dueDays: readonly Day[] };
  premiumCents: number;
  hasAgent: boolean;
}

export interface TermEnd {
  status: Ending;
  /** Net of returns. */
  written: Parts;
  inLedger: Books;
  paidInstallments: number;
  notices: number;
}

/** In the trust: what the owners of the parts hold, what is owed back to the insured, and the cash behind both. */
export interface Books extends Held {
  owedBack: number;
  /** Money not yet applied to anything. */
  unapplied: number;
  cash: number;
  /** In the general ledger: our share of the premium, and the fee. */
  income: number;
}

/** What someone outside does, and when. */
type Deed = TurnDeed | ({ on: Day; term: number } & ({ deed: 'pay'; due: Day } | { deed: 'non_renew' }));

/** The story of one policy. */
export interface Story {
  /** The state at the end of each day: of the first term, and of the next where there is one. */
  days: TermEnd[][];
  deeds: Deed[];
}

/** Days of notice before a policy lapses. Domain facts 6.1, column "Non-pay". */
const NON_PAY_DAYS: Record<string, number> = { NY: 15 };
const USUAL_NON_PAY_DAYS = 10;
const NOTICE_AFTER_DUE = 11;
const RENEWED_BEFORE_EXPIRY = 75;

const nonPayDays = (state: string) => NON_PAY_DAYS[state] ?? USUAL_NON_PAY_DAYS;
const isInForce = ({ status }: Term) =>
  status === 'pending' || status === 'active' || status === 'pending_cancellation';

/**
 * Runs through the days from 0 to the last. Each day the clock comes first, then the people; on the last day only the
 * clock acts.
 */
export function storyOf(insured: Insured, lastDay: Day): Story {
  const { effective, expiration, dueDays, premiumCents } = insured;
  const terms = [newTerm(insured, { effective, expiration }, dueDays, premiumCents)];
  const story: Story = { days: [], deeds: [] };
  for (let day = 0; day <= lastDay; day += 1) {
    for (const term of terms) passDay(insured, term, terms, day);
    if (isRenewedOn(terms, day)) terms.push(nextTerm(insured, terms[0] as Term));
    if (day < lastDay) for (const number of terms.keys()) story.deeds.push(...actOn(insured, terms, number, day));
    story.days.push(terms.map(endOf));
  }
  return story;
}

function endOf(term: Term): TermEnd {
  const { state, status, writtenCents, bills, notices } = term;
  const written = partsOf(state, writtenCents);
  return { status, written, inLedger: booksOf(term), paidInstallments: bills.filter(isPaid).length, notices };
}

function booksOf(term: Term): Books {
  const { owedBack } = term;
  const held = heldOf(term);
  return { ...held, owedBack, unapplied: 0, cash: heldInAll(held) + owedBack, income: held.ours + held.fee };
}

function newTerm({ state, hasAgent }: Insured, days: Days, dueDays: readonly Day[], annualCents: number): Term {
  const parts = billsOf(partsOf(state, annualCents), dueDays.length);
  const bills = dueDays.map((due, i): Bill => ({ due, parts: parts[i] as Parts, held: null }));
  return { ...NEW_TERM, ...days, state, hasAgent, bills, annualCents, writtenCents: annualCents };
}

/** The next term's premium is for the risk as it is now. */
function nextTerm(insured: Insured, { expiration, annualCents }: Term): Term {
  const { expiration: end, dueDays } = insured.next;
  return newTerm(insured, { effective: expiration, expiration: end }, dueDays, annualCents);
}

function isRenewedOn([first, next]: Term[], day: Day): boolean {
  if (first === undefined || next !== undefined) return false;
  return (
    first.status === 'active' &&
    !first.isUnwanted &&
    day >= first.expiration - RENEWED_BEFORE_EXPIRY &&
    day < first.expiration
  );
}

function pastDue({ bills }: Term, day: Day): Bill[] {
  return bills.filter((bill) => bill.due < day && !isPaid(bill));
}

/** What the calendar does on a day. */
function passDay(insured: Insured, term: Term, terms: Term[], day: Day): void {
  if (!isInForce(term)) return;
  if (term.lapsesOn === day) {
    end(term, terms, 'lapsed', { writtenCents: proRata(term, day), day });
    return;
  }
  if (day >= term.expiration) {
    term.status = terms.length > 1 && terms[0] === term ? 'renewed' : 'expired';
    return;
  }
  if (term.status === 'pending' && day >= term.effective) term.status = 'active';
  const [oldest] = pastDue(term, day);
  const lapsesOn = day + nonPayDays(insured.state);
  const isNoticeDay = oldest !== undefined && day >= oldest.due + NOTICE_AFTER_DUE;
  if (term.lapsesOn === null && isNoticeDay && lapsesOn < term.expiration) {
    term.status = 'pending_cancellation';
    term.lapsesOn = lapsesOn;
    term.noticedOn = day;
    term.notices += 1;
  }
}

/** What people do once the day has begun. */
function actOn(insured: Insured, terms: Term[], number: number, day: Day): Deed[] {
  const term = terms[number] as Term;
  const deeds: Deed[] = isInForce(term) ? pay(insured, term, { number, day }) : [];
  const { habit } = insured;
  if (number > 0) return deeds;
  if (habit.kind === 'turns') deeds.push(...turnOn(habit.turn, term, day));
  if (term.status !== 'active') return deeds;
  if (habit.kind === 'leaves' && day === term.effective + habit.on) {
    deeds.push({ on: day, term: number, deed: 'cancel' });
    end(term, terms, 'cancelled', { writtenCents: keptAtShortRate(term.writtenCents, term, day), day });
  }
  if (habit.kind === 'not_wanted' && day === term.effective + habit.on) {
    deeds.push({ on: day, term: number, deed: 'non_renew' });
    term.isUnwanted = true;
  }
  return deeds;
}

function pay(insured: Insured, term: Term, { number, day }: { number: number; day: Day }): Deed[] {
  const deeds: Deed[] = [];
  for (const [n, bill] of term.bills.entries()) {
    if (isPaid(bill) || payDay(insured, term, n) > day) continue;
    payFor(term, bill);
    deeds.push({ on: day, term: number, deed: 'pay', due: bill.due });
  }
  // The amount in the notice is paid; an installment that fell due since then has its own grace period.
  if (term.lapsesOn !== null && pastDue(term, term.noticedOn ?? day).length === 0) {
    term.status = day >= term.effective ? 'active' : 'pending';
    term.lapsesOn = null;
  }
  return deeds;
}

function payDay({ habit, state }: Insured, { bills, hasGivenUp }: Term, bill: number): Day {
  const { due } = bills[bill] as Bill;
  if (habit.kind === 'late') return due + habit.days;
  if (habit.kind === 'at_the_last_moment') return due + NOTICE_AFTER_DUE + nonPayDays(state) - 1;
  const isUnpaid = hasGivenUp || (habit.kind === 'stops' && bill >= habit.after);
  return isUnpaid ? Number.POSITIVE_INFINITY : due;
}

/** Ending the first term early also ends a next term that has not begun, at no charge. */
function end(
  term: Term,
  terms: Term[],
  status: Ending,
  { writtenCents, day }: { writtenCents: number; day: Day },
): void {
  write(term, writtenCents, day);
  Object.assign(term, { status, lapsesOn: null });
  const next = terms[1];
  if (next === undefined || next === term || next.status !== 'pending') return;
  write(next, 0, day);
  next.status = 'cancelled';
}

/** What remains when the premium for the days left is returned. */
function proRata(term: Term, day: Day): number {
  return term.writtenCents - forDaysLeft(term.writtenCents, term, day);
}
