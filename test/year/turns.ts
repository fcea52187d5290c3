// The turns a life can take besides paying, leaving and lapsing: what is written, billed, held and owed back after
// each, by the contract's arithmetic. Every insured here pays a term in full. Contract 3.2, 3.4.
import { type Day, forDaysLeft, keptAtShortRate } from './premium.ts';
import { type Bill, refund, type Term, write } from './term.ts';

/** `on` counts from the first day of the term. */
export type Turn =
  /** The risk grows or shrinks on a day, effective that day, to this percentage. */
  | { kind: 'changes'; on: Day; toPercent: number }
  /** Requests cancellation and is reinstated ten days later, with or without a gap in coverage. */
  | { kind: 'comes_back'; on: Day; hasGap: boolean }
  /** The check for the term bounces; it is paid again on the day it is due, or never. */
  | { kind: 'bounces'; on: Day; paysAgain: boolean }
  /** Gets a goodwill refund. */
  | { kind: 'is_refunded'; on: Day; cents: number }
  /** The bill is voided two days before coverage begins, and reissued unchanged. */
  | { kind: 'is_billed_again' };

export type TurnDeed = { on: Day; term: number } & (
  | { deed: 'endorse'; toPercent: number }
  | { deed: 'cancel' | 'reverse' | 'bill_again' }
  | { deed: 'reinstate'; asOf: Day }
  | { deed: 'refund'; cents: number }
);

const DAYS_AWAY = 10;
/** Until the due date of additional premium. */
const DAYS_TO_PAY_MORE = 15;
/** Until the new due date of a bill whose check bounced. */
const DAYS_TO_PAY_AGAIN = 10;
const BILLED_AGAIN_BEFORE = 2;

/** Takes the turn that falls on a day, if any. */
export function turnOn(turn: Turn, term: Term, day: Day): TurnDeed[] {
  switch (turn.kind) {
    case 'changes':
      return day === term.effective + turn.on ? change(term, day, turn.toPercent) : [];
    case 'comes_back':
      if (day === term.effective + turn.on) return leave(term, day);
      return day === term.effective + turn.on + DAYS_AWAY ? comeBack(term, day, turn.hasGap) : [];
    case 'bounces':
      return day === term.effective + turn.on ? bounce(term, day, turn.paysAgain) : [];
    case 'is_refunded':
      return day === term.effective + turn.on ? giveSome(term, day, turn.cents) : [];
    case 'is_billed_again':
      return day === term.effective - BILLED_AGAIN_BEFORE ? [{ on: day, term: 0, deed: 'bill_again' }] : [];
  }
}

/**
 * Additional premium is a bill of its own; return premium goes back. The next term is priced on the risk as it is
 * then.
 */
function change(term: Term, day: Day, toPercent: number): TurnDeed[] {
  const annual = Math.round((term.annualCents * toPercent) / 100);
  const more = forDaysLeft(Math.abs(annual - term.annualCents), term, day);
  write(term, term.writtenCents + (annual > term.annualCents ? more : -more), day + DAYS_TO_PAY_MORE);
  term.annualCents = annual;
  return [{ on: day, term: 0, deed: 'endorse', toPercent }];
}

function leave(term: Term, day: Day): TurnDeed[] {
  write(term, keptAtShortRate(term.writtenCents, term, day), day);
  term.status = 'cancelled';
  return [{ on: day, term: 0, deed: 'cancel' }];
}

/**
 * Without a gap everything is as before; with one, the premium for its days is not owed. By then the return premium
 * check has gone out.
 */
function comeBack(term: Term, day: Day, hasGap: boolean): TurnDeed[] {
  const asOf = hasGap ? day : day - DAYS_AWAY;
  const uncovered = hasGap ? Math.round((term.annualCents * DAYS_AWAY) / (term.expiration - term.effective)) : 0;
  term.owedBack = 0;
  write(term, Math.max(term.annualCents - uncovered, term.writtenCents), day);
  term.status = 'active';
  return [{ on: day, term: 0, deed: 'reinstate', asOf }];
}

function bounce(term: Term, day: Day, paysAgain: boolean): TurnDeed[] {
  const [bill] = term.bills as [Bill];
  bill.held = null;
  bill.due = Math.max(bill.due, day + DAYS_TO_PAY_AGAIN);
  term.hasGivenUp = !paysAgain;
  return [{ on: day, term: 0, deed: 'reverse' }];
}

function giveSome(term: Term, day: Day, cents: number): TurnDeed[] {
  refund(term, cents);
  return [{ on: day, term: 0, deed: 'refund', cents }];
}
