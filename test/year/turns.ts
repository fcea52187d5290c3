// The turns that a life can take besides paying, leaving and lapsing: what is written, billed, held and owed back after
// each, by the contract's arithmetic. Everybody here pays a term in full. Contract 3.2, 3.4.
import { type Day, forDaysLeft, keptAtShortRate, leftAfterRefund, partsOf, totalOf } from './premium.ts';
import type { Term } from './term.ts';

/** `on` counts from the first day of the term. */
export type Turn =
  /** The risk grows or shrinks on a day, as of that day, to so many percent of it. */
  | { kind: 'changes'; on: Day; toPercent: number }
  /** Asks to be cancelled, and is back ten days later, with the days between uncovered or not. */
  | { kind: 'comes_back'; on: Day; hasGap: boolean }
  /** The check for the term comes back; it is paid for again on the day it is due, or never. */
  | { kind: 'bounces'; on: Day; paysAgain: boolean }
  /** Gets some money back for goodwill. */
  | { kind: 'is_refunded'; on: Day; cents: number }
  /** The bill is void two days before coverage begins, and made again. */
  | { kind: 'is_billed_again' };

export type TurnDeed = { on: Day; term: number } & (
  | { deed: 'endorse'; toPercent: number }
  | { deed: 'cancel' | 'reverse' | 'bill_again' }
  | { deed: 'reinstate'; asOf: Day }
  | { deed: 'refund'; cents: number }
);

const DAYS_AWAY = 10;
/** To the due date of additional premium. */
const DAYS_TO_PAY_MORE = 15;
/** To the new due date of a bill whose check came back. */
const DAYS_TO_PAY_AGAIN = 10;
const BILLED_AGAIN_BEFORE = 2;

/** Takes the turn of a day, if it is one. */
export function turnOn(turn: Turn, state: string, term: Term, day: Day): TurnDeed[] {
  switch (turn.kind) {
    case 'changes':
      return day === term.effective + turn.on ? change(term, state, day, turn.toPercent) : [];
    case 'comes_back':
      if (day === term.effective + turn.on) return leave(term, state, day);
      return day === term.effective + turn.on + DAYS_AWAY ? comeBack(term, state, day, turn.hasGap) : [];
    case 'bounces':
      return day === term.effective + turn.on ? bounce(term, day, turn.paysAgain) : [];
    case 'is_refunded':
      return day === term.effective + turn.on ? refund(term, day, turn.cents) : [];
    case 'is_billed_again':
      return day === term.effective - BILLED_AGAIN_BEFORE ? billAgain(term, day) : [];
  }
}

/** More premium is a bill of its own; less goes back. The next term is priced as the risk is by then. */
function change(term: Term, state: string, day: Day, toPercent: number): TurnDeed[] {
  const annual = Math.round((term.annualCents * toPercent) / 100);
  const more = forDaysLeft(Math.abs(annual - term.annualCents), term, day);
  write(term, state, term.writtenCents + (annual > term.annualCents ? more : -more), day + DAYS_TO_PAY_MORE);
  term.annualCents = annual;
  return [{ on: day, term: 0, deed: 'endorse', toPercent }];
}

function leave(term: Term, state: string, day: Day): TurnDeed[] {
  write(term, state, keptAtShortRate(term.writtenCents, term, day), day);
  term.status = 'cancelled';
  return [{ on: day, term: 0, deed: 'cancel' }];
}

/**
 * Without a gap everything is as it was; with one, the premium of its days is not owed. By then the check for what was
 * given back has gone out.
 */
function comeBack(term: Term, state: string, day: Day, hasGap: boolean): TurnDeed[] {
  const asOf = hasGap ? day : day - DAYS_AWAY;
  const uncovered = hasGap ? Math.round((term.annualCents * DAYS_AWAY) / (term.expiration - term.effective)) : 0;
  term.owedBack = 0;
  write(term, state, Math.max(term.annualCents - uncovered, term.writtenCents), day);
  term.status = 'active';
  return [{ on: day, term: 0, deed: 'reinstate', asOf }];
}

function bounce(term: Term, day: Day, paysAgain: boolean): TurnDeed[] {
  term.paid.delete(0);
  term.dueDays[0] = Math.max(term.dueDays[0] ?? day, day + DAYS_TO_PAY_AGAIN);
  term.hasGivenUp = !paysAgain;
  return [{ on: day, term: 0, deed: 'reverse' }];
}

function refund(term: Term, day: Day, cents: number): TurnDeed[] {
  term.owedBack += cents;
  term.refunded = cents;
  return [{ on: day, term: 0, deed: 'refund', cents }];
}

function billAgain(term: Term, day: Day): TurnDeed[] {
  const [due = day] = term.dueDays;
  term.dueDays[0] = Number.POSITIVE_INFINITY;
  term.dueDays.push(due);
  return [{ on: day, term: 0, deed: 'bill_again' }];
}

/** Writes another premium: what is more is billed, what is less is owed back. */
function write(term: Term, state: string, cents: number, due: Day): void {
  const moved = totalOf(partsOf(state, cents)) - totalOf(partsOf(state, term.writtenCents));
  term.writtenCents = cents;
  if (moved > 0) term.dueDays.push(due);
  else term.owedBack -= moved;
}

/** What the owners of a paid term's parts have. */
export function heldOf(term: Term, state: string) {
  const written = partsOf(state, term.writtenCents);
  return term.refunded === 0 ? written : leftAfterRefund(written, term.refunded);
}
