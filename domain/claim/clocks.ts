// A claim's statutory clocks: the last day to acknowledge a notice of loss, and the last day to decide, after which
// status letters are due. Domain facts 6.3. Working days are Monday to Friday: public holidays never move a date
// later, so none is missed because of one.
import { type AnnouncedDate, announcedBy, nextAnnouncement } from '../announcements.ts';
import { addDays, type BusinessDate, daysBetween } from '../dates.ts';
import { refusedMove } from '../transition.ts';
import { type ClaimStatus, movesFrom } from './claim.ts';
import {
  CLAIM_ANNOUNCED_DAYS,
  letterSent,
  nextLetterStep,
  type StatusLetters,
  statusLetters,
  turnLetters,
} from './status-letters.ts';

export const CLAIM_CLOCKS = ['claim_ack', 'claim_decision'] as const;
export type ClaimClockKind = (typeof CLAIM_CLOCKS)[number];

/** One clock. A clock that is met or missed has no further step. */
export interface ClaimClock extends AnnouncedDate {
  metOn: BusinessDate | null;
  isMissed: boolean;
}

export interface ClaimClocks extends Record<ClaimClockKind, ClaimClock> {
  /** The letters due after the decision date; null or missing where the state requires none. */
  claim_status?: StatusLetters | null;
}

/** A number of calendar or working days. */
interface Period {
  days: number;
  isWorking: boolean;
}

const calendar = (days: number): Period => ({ days, isWorking: false });
const working = (days: number): Period => ({ days, isWorking: true });

/**
 * States with their own periods. The decision period runs from the notice: a later proof of loss does not extend it.
 */
const PERIODS: Readonly<Record<string, Partial<Record<ClaimClockKind, Period>>>> = {
  AK: { claim_ack: working(10), claim_decision: working(15) },
  AZ: { claim_ack: working(10), claim_decision: working(15) },
  AR: { claim_ack: working(15), claim_decision: working(15) },
  CA: { claim_ack: calendar(15), claim_decision: calendar(40) },
  DE: { claim_ack: working(15) },
};

/** The shortest of the general periods, for states without their own. */
const GENERAL: Readonly<Record<ClaimClockKind, Period>> = { claim_ack: calendar(10), claim_decision: calendar(30) };

const NAMES: Readonly<Record<ClaimClockKind, string>> = { claim_ack: 'acknowledgement', claim_decision: 'decision' };

/** Starts both clocks on the business date of the notice. `state` is that of the policy. Domain facts 6.3. */
export function startClaimClocks(state: string, noticeOn: BusinessDate): ClaimClocks {
  return { claim_ack: clockOf('claim_ack', state, noticeOn), ...restartedDecision(state, noticeOn) };
}

/** Restarts the decision clock, with its letters, for a claim reopened on a business date. */
export function restartedDecision(state: string, on: BusinessDate): Omit<ClaimClocks, 'claim_ack'> {
  const decision = clockOf('claim_decision', state, on);
  return { claim_decision: decision, claim_status: statusLetters(state, decision.dueDate) };
}

/** The letters still owed; null if there are none, and once the claim is decided. */
export function lettersOwed({ claim_decision, claim_status = null }: ClaimClocks): StatusLetters | null {
  return claim_decision.metOn === null ? claim_status : null;
}

/**
 * Records on a claim's clocks that a status letter was sent. `status` is that of the claim, `earliest` its notice.
 * @throws DomainError invalid_state_transition if none is owed, validation_failed for `sentOn`
 */
export function noteLetter(
  clocks: ClaimClocks,
  sentOn: BusinessDate,
  on: { earliest: BusinessDate; today: BusinessDate; status: ClaimStatus },
): ClaimClocks {
  const letters = on.status === 'closed' ? null : lettersOwed(clocks);
  if (letters === null) throw refusedMove('claim', on.status, 'send_status_letter', movesFrom(on.status));
  return { ...clocks, claim_status: letterSent(letters, sentOn, on) };
}

/** Stops these clocks on a business date; one already met keeps its day. */
export function meetClocks(clocks: ClaimClocks, kinds: readonly ClaimClockKind[], on: BusinessDate): ClaimClocks {
  const met = kinds.map((kind) => [kind, { ...clocks[kind], metOn: clocks[kind].metOn ?? on }]);
  return { ...clocks, ...Object.fromEntries(met) };
}

/** The next calendar step for a claim: announce a due date, or record that it has come or passed; null if none. */
export function nextClaimDate(clocks: ClaimClocks): { on: BusinessDate; what: string } | null {
  const steps = CLAIM_CLOCKS.flatMap((kind) => {
    const on = nextDayOf(clocks[kind]);
    return on === null ? [] : [{ on, what: `${NAMES[kind]} by ${clocks[kind].dueDate}` }];
  });
  const letters = lettersOwed(clocks);
  if (letters !== null) steps.push(nextLetterStep(letters));
  return steps.reduce<(typeof steps)[number] | null>(
    (first, step) => (!first || step.on < first.on ? step : first),
    null,
  );
}

/** The result of advancing a claim's clocks to a day. */
export interface ClockTurn {
  clocks: ClaimClocks;
  /** Due dates to announce. */
  announced: { kind: ClaimClockKind | 'claim_status'; dueDate: BusinessDate; daysLeft: number }[];
  /** Clocks whose due date has passed unmet. */
  missed: ClaimClockKind[];
  /** Dates of status letters that were not sent in time. */
  lettersMissed: BusinessDate[];
}

/** Advances the clocks to a day; if several announcements have come due, only the last is made. */
export function turnClocks(clocks: ClaimClocks, today: BusinessDate): ClockTurn {
  const turn: ClockTurn = { clocks: { ...clocks }, announced: [], missed: [], lettersMissed: [] };
  for (const kind of CLAIM_CLOCKS) {
    const clock = clocks[kind];
    const next = nextDayOf(clock);
    if (next === null || next > today) continue;
    const daysLeft = daysBetween(today, clock.dueDate);
    if (daysLeft < 0) {
      turn.missed.push(kind);
      turn.clocks[kind] = { ...clock, isMissed: true };
      continue;
    }
    turn.announced.push({ kind, dueDate: clock.dueDate, daysLeft });
    turn.clocks[kind] = { ...clock, announcedDays: announcedBy(daysLeft, CLAIM_ANNOUNCED_DAYS) };
  }
  const letters = lettersOwed(clocks);
  if (letters === null) return turn;
  const { letters: claim_status, missed: lettersMissed, announced } = turnLetters(letters, today);
  if (announced !== null) turn.announced.push({ kind: 'claim_status', ...announced });
  return { ...turn, clocks: { ...turn.clocks, claim_status }, lettersMissed };
}

/** Names the clocks that were missed, for the operator. */
export function missedClocks(clocks: ClaimClocks): string[] {
  return CLAIM_CLOCKS.filter((kind) => clocks[kind].isMissed).map((kind) => NAMES[kind]);
}

function nextDayOf(clock: ClaimClock): BusinessDate | null {
  if (clock.metOn !== null || clock.isMissed) return null;
  return nextAnnouncement(clock, CLAIM_ANNOUNCED_DAYS) ?? addDays(clock.dueDate, 1);
}

function clockOf(kind: ClaimClockKind, state: string, from: BusinessDate): ClaimClock {
  const dueDate = endOf(PERIODS[state]?.[kind] ?? GENERAL[kind], from);
  return { dueDate, metOn: null, announcedDays: null, isMissed: false };
}

function endOf({ days, isWorking }: Period, from: BusinessDate): BusinessDate {
  if (!isWorking) return addDays(from, days);
  let day = from;
  for (let left = days; left > 0; ) {
    day = addDays(day, 1);
    if (isWorkingDay(day)) left -= 1;
  }
  return day;
}

/** A Monday; days are counted from it. */
const A_MONDAY = '2026-01-05';

function isWorkingDay(day: BusinessDate): boolean {
  const weekday = ((daysBetween(A_MONDAY, day) % 7) + 7) % 7;
  return weekday < 5;
}
