// What a year makes of a policy, worked out day by day and knowing nothing of the code it is held against: when it is
// paid for, when notice goes out, when it lapses, is cancelled, renewed or expires, and what is written in the end,
// part by part. Contract 3.2, domain facts 3.2, 3.6, 6.1.
import { type Day, forDaysLeft, keptAtShortRate, NOTHING, type Parts, partsOf, totalOf } from './premium.ts';
import { type Ending, NEW_TERM, type Term } from './term.ts';
import { heldOf, type Turn, type TurnDeed, turnOn } from './turns.ts';

/** How an insured pays, or leaves. */
export type Habit =
  | { kind: 'prompt' }
  /** So many days after each due date. */
  | { kind: 'late'; days: number }
  /** The day before the policy would lapse. */
  | { kind: 'at_the_last_moment' }
  /** Pays so many installments and no more. */
  | { kind: 'stops'; after: number }
  /** Pays promptly; asks to be cancelled on a day of the term, as of that day. */
  | { kind: 'leaves'; on: Day }
  /** Pays promptly; the carrier announces on a day of the term that there will be no next one. */
  | { kind: 'not_wanted'; on: Day }
  /** Pays promptly; something else happens in the first term. */
  | { kind: 'turns'; turn: Turn };

export interface Insured {
  state: string;
  habit: Habit;
  /** Days of the first term, its last not included. */
  effective: Day;
  expiration: Day;
  /** Of the first term; those of the next follow a term later. */
  dueDays: readonly Day[];
  premiumCents: number;
}

export interface TermEnd {
  status: Ending;
  /** Net of returns. */
  written: Parts;
  /** Null while some of it is unpaid. */
  inLedger: Books | null;
  paidInstallments: number;
  notices: number;
}

/** In the trust: what the owners of the parts have, what is owed back to the insured, and the cash for both. */
export interface Books extends Parts {
  owedBack: number;
  cash: number;
}

/** What somebody outside does, and when. */
type Deed = TurnDeed | ({ on: Day; term: number } & ({ deed: 'pay'; due: Day } | { deed: 'non_renew' }));

/** What is so at the end of its day, whatever else happened on it. */
export type Standing = Pick<TermEnd, 'status' | 'written'>;

/** The story of one policy. */
export interface Story {
  /** The first term, and the next where there is one. */
  terms: TermEnd[];
  deeds: (Deed & { then: Standing })[];
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
 * Lives through the days from 0 to the last. Each day the clock comes first, then the people; the last day is the
 * clock's alone.
 */
export function storyOf(insured: Insured, lastDay: Day): Story {
  const { effective, expiration, dueDays, premiumCents } = insured;
  const terms = [newTerm(effective, expiration, dueDays, premiumCents)];
  const deeds: Story['deeds'] = [];
  for (let day = 0; day <= lastDay; day += 1) {
    for (const term of terms) passDay(insured, term, terms, day);
    if (isRenewedOn(terms, day)) terms.push(nextTerm(insured, terms[0] as Term));
    if (day === lastDay) break;
    for (const number of terms.keys()) {
      const done = actOn(insured, terms, number, day);
      const then = standingOf(insured, terms[number] as Term);
      deeds.push(...done.map((deed) => ({ ...deed, then })));
    }
  }
  return { terms: terms.map((term) => endOf(insured, term)), deeds };
}

const standingOf = ({ state }: Insured, { status, writtenCents }: Term): Standing => ({
  status,
  written: partsOf(state, writtenCents),
});

function endOf(insured: Insured, term: Term): TermEnd {
  const { paid, notices, hasGivenUp } = term;
  const isSettled = isPaid(term) || term.writtenCents === 0;
  const nothing = hasGivenUp ? { ...NOTHING, owedBack: 0, cash: 0 } : null;
  const inLedger = isSettled ? booksOf(insured, term) : nothing;
  return { ...standingOf(insured, term), inLedger, paidInstallments: paid.size, notices };
}

const isPaid = ({ dueDays, paid }: Term) => dueDays.every((due, i) => !Number.isFinite(due) || paid.has(i));

function booksOf({ state }: Insured, term: Term): Books {
  const held = heldOf(term, state);
  return { ...held, owedBack: term.owedBack, cash: totalOf(held) + term.owedBack };
}

function newTerm(effective: Day, expiration: Day, dueDays: readonly Day[], annualCents: number): Term {
  const premium = { annualCents, writtenCents: annualCents };
  return { ...NEW_TERM, effective, expiration, dueDays: [...dueDays], paid: new Set(), ...premium };
}

/**
 * The next term has the installments of the first, a term later, and the premium of the risk as it is; it is the same
 * year of days, since no leap day lies in the story.
 */
function nextTerm(insured: Insured, { effective, expiration, annualCents }: Term): Term {
  const days = expiration - effective;
  // The first installment of the first term was due at the bind, if that was later.
  const shifted = insured.dueDays.map((due, i) => (i === 0 ? expiration : due + days));
  return newTerm(expiration, expiration + days, shifted, annualCents);
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

function pastDue({ dueDays, paid }: Term, day: Day): Day[] {
  return dueDays.filter((due, i) => due < day && !paid.has(i));
}

/** What the calendar does. */
function passDay(insured: Insured, term: Term, terms: Term[], day: Day): void {
  if (!isInForce(term)) return;
  if (term.lapsesOn === day) {
    end(term, terms, 'lapsed', proRata(term, day));
    return;
  }
  if (day >= term.expiration) {
    term.status = terms.length > 1 && terms[0] === term ? 'renewed' : 'expired';
    return;
  }
  if (term.status === 'pending' && day >= term.effective) term.status = 'active';
  const [oldest] = pastDue(term, day);
  const lapsesOn = day + nonPayDays(insured.state);
  const isNoticeDay = oldest !== undefined && day >= oldest + NOTICE_AFTER_DUE;
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
  const { habit, state } = insured;
  if (number > 0) return deeds;
  if (habit.kind === 'turns') deeds.push(...turnOn(habit.turn, state, term, day));
  if (term.status !== 'active') return deeds;
  if (habit.kind === 'leaves' && day === term.effective + habit.on) {
    deeds.push({ on: day, term: number, deed: 'cancel' });
    leave(insured, terms, day);
  }
  if (habit.kind === 'not_wanted' && day === term.effective + habit.on) {
    deeds.push({ on: day, term: number, deed: 'non_renew' });
    term.isUnwanted = true;
  }
  return deeds;
}

function pay(insured: Insured, term: Term, { number, day }: { number: number; day: Day }): Deed[] {
  const deeds: Deed[] = [];
  for (const [bill, due] of term.dueDays.entries()) {
    if (term.paid.has(bill) || payDay(insured, term, bill) > day) continue;
    term.paid.add(bill);
    deeds.push({ on: day, term: number, deed: 'pay', due });
  }
  // What the notice named is paid; an installment that fell due since has its own grace.
  if (term.lapsesOn !== null && pastDue(term, term.noticedOn ?? day).length === 0) {
    term.status = day >= term.effective ? 'active' : 'pending';
    term.lapsesOn = null;
  }
  return deeds;
}

function leave({ state }: Insured, terms: Term[], day: Day): void {
  const [term] = terms as [Term];
  const kept = keptAtShortRate(term.writtenCents, term, day);
  if (isPaid(term)) term.owedBack += totalOf(partsOf(state, term.writtenCents)) - totalOf(partsOf(state, kept));
  end(term, terms, 'cancelled', kept);
}

function payDay({ habit, state }: Insured, { dueDays, hasGivenUp }: Term, bill: number): Day {
  const due = dueDays[bill] as Day;
  if (habit.kind === 'late') return due + habit.days;
  if (habit.kind === 'at_the_last_moment') return due + NOTICE_AFTER_DUE + nonPayDays(state) - 1;
  const isUnpaid = hasGivenUp || (habit.kind === 'stops' && bill >= habit.after);
  return isUnpaid ? Number.POSITIVE_INFINITY : due;
}

/** The end of a first term takes a next one that has not begun with it, and nothing of that one is charged. */
function end(term: Term, terms: Term[], status: Ending, writtenCents: number): void {
  Object.assign(term, { status, writtenCents, lapsesOn: null });
  const next = terms[1];
  if (next !== undefined && next !== term && next.status === 'pending') {
    Object.assign(next, { status: 'cancelled', writtenCents: 0 });
  }
}

/** What stays when the premium of the days left is given back. */
function proRata(term: Term, day: Day): number {
  return term.writtenCents - forDaysLeft(term.writtenCents, term, day);
}
