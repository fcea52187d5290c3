// A policy's earned and in-force premium on a day, from the facts of the trade alone (domain facts 3.2, 3.3): each
// part of the premium earns evenly from its own day to the end of the term, nothing during a gap in coverage, and all
// of the remainder once coverage has ended. Independent of the platform's rules and statements.
import type { KnownPolicy, KnownTransaction } from './known-rows.ts';

const DAY_MS = 86_400_000;

/** A day as a number. */
const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY_MS;

export interface Stand {
  earnedCents: number;
  writtenCents: number;
  inForceCents: number;
  isInForce: boolean;
}

interface Gap {
  from: number;
  to: number;
  /** Premium for its days. */
  lost: number;
  sequence: number;
}

interface Part {
  /** The policy whose terms it pays for. */
  of: string;
  starts: number;
  cents: number;
  sequence: number;
}

/** Rounds half away from zero, in whole numbers. */
const share = (cents: number, part: number, whole: number) => {
  const doubled = 2n * BigInt(Math.abs(cents)) * BigInt(part) + BigInt(whole);
  return Number(doubled / (2n * BigInt(whole))) * Math.sign(cents);
};

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** A policy's state at the beginning of a day, from everything booked by then. */
export function standOf(policy: KnownPolicy, date: string): Stand {
  const rows = policy.transactions.filter(({ bookedOn }) => bookedOn !== null && bookedOn <= date);
  const day = dayOf(date);
  const writtenCents = sum(rows.map(({ cents }) => cents));
  const { gaps, endedOn } = endings(rows);
  const [first, end] = [dayOf(policy.starts), dayOf(policy.ends)];
  if (rows.length === 0) return { writtenCents, earnedCents: 0, inForceCents: 0, isInForce: false };
  if (endedOn !== null && endedOn <= day) {
    return { writtenCents, earnedCents: writtenCents, inForceCents: 0, isInForce: false };
  }
  const covered = (from: number, known: readonly Gap[]) => {
    const start = Math.min(Math.max(from, first), end);
    const without = known.map((gap) => Math.max(0, Math.min(gap.to, end) - Math.max(gap.from, start)));
    return end - start - sum(without);
  };
  const parts = partsOf(rows, gaps);
  const known = ({ sequence }: Part) => gaps.filter((gap) => gap.sequence < sequence);
  const isInGap = gaps.find(({ from, to }) => from <= day && day < to);
  const until = isInGap?.from ?? day;
  const unearned = parts.map((part) => {
    const whole = covered(part.starts, known(part));
    return whole <= 0 ? 0 : share(part.cents, covered(Math.max(until, part.starts), known(part)), whole);
  });
  const lost = sum(gaps.filter(({ to }) => to <= day).map((gap) => gap.lost));
  const isInForce = first <= day && day < end && isInGap === undefined;
  const annual = parts
    .filter(({ starts }) => starts <= day)
    .map((part) => {
      const whole = covered(part.starts, known(part));
      return whole <= 0 ? 0 : share(part.cents, end - first, whole);
    });
  return {
    writtenCents,
    earnedCents: sum(parts.map(({ cents }) => cents)) - sum(unearned) - lost,
    inForceCents: isInForce ? sum(annual) : 0,
    isInForce,
  };
}

/** The days without coverage that a reinstatement left, and the day on which coverage ended for good. */
function endings(rows: readonly KnownTransaction[]): { gaps: Gap[]; endedOn: number | null } {
  const gaps: Gap[] = [];
  let last: KnownTransaction | null = null;
  for (const row of rows) {
    if (row.type === 'cancellation') last = row;
    if (row.type !== 'reinstatement' || last === null) continue;
    const { sequence } = row;
    const gap = { from: dayOf(last.starts), to: dayOf(row.starts), lost: 0 - last.cents - row.cents, sequence };
    if (gap.to > gap.from) gaps.push(gap);
    last = null;
  }
  return { gaps, endedOn: last === null ? null : Math.max(dayOf(last.bookedOn ?? last.starts), dayOf(last.starts)) };
}

/** An endorsement made by mistake is taken out of the part that it charged, cent by cent. */
function partsOf(rows: readonly KnownTransaction[], gaps: readonly Gap[]): Part[] {
  const charging = rows.filter(({ type }) => ['new_business', 'renewal', 'endorsement', 'audit'].includes(type));
  const startsOf = (id: string) => rows.find((row) => row.id === id)?.starts;
  const parts = charging.flatMap((row) => {
    const moved = row.reapplied.map(({ transactionId, premiumChangeCents }) => ({
      ...{ of: transactionId, starts: dayOf(startsOf(transactionId) ?? row.starts), cents: premiumChangeCents },
      ...{ sequence: row.sequence, isVoid: row.reverses !== null },
    }));
    const cents = row.cents - sum(moved.map((part) => part.cents));
    const { sequence } = row;
    return [
      { of: row.reverses ?? row.id, starts: dayOf(row.starts), cents, sequence, isVoid: row.reverses !== null },
      ...moved,
    ];
  });
  const touched = new Set(parts.filter(({ isVoid }) => isVoid).map((part) => part.of));
  const whole: Part[] = [];
  for (const part of parts) {
    const era = (sequence: number) => gaps.filter((gap) => gap.sequence < sequence).length;
    const same = whole.find((each) => each.of === part.of && era(each.sequence) === era(part.sequence));
    if (same !== undefined && touched.has(part.of)) same.cents += part.cents;
    else whole.push({ of: part.of, starts: part.starts, cents: part.cents, sequence: part.sequence });
  }
  return whole;
}
