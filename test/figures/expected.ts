// Every analytics figure, added up from the rows by the definitions of the trade (domain facts 3.3, contract 3.7).
// Amounts are dollars and cents, as the API returns them.
import { addDays, minDate } from '../../domain/dates.ts';
import { standOf } from './earned.ts';
import type { KnownPolicy, KnownRows } from './known-rows.ts';

export interface Days {
  from: string;
  to: string;
}

type Key = 'line' | 'state' | 'producer';
interface Placed extends Record<Key, string | null> {}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const dollars = (cents: number) => cents / 100;
const within = (on: string | null, { from, to }: Days) => on !== null && from <= on && on <= to;
const ratio = (part: number, whole: number) => (whole > 0 ? Math.round((part * 10_000) / whole) / 10_000 : null);
const first = ({ transactions }: KnownPolicy) => transactions[0]?.bookedOn ?? null;

/** The portfolio of the rows in a group; nothing is earned beyond `today`. */
export function portfolioOf(rows: KnownRows, days: Days, today: string, isIn: (row: Placed) => boolean = () => true) {
  const to = minDate(days.to, today);
  const known = { from: days.from, to };
  const policies = rows.policies.filter(isIn);
  const before = minDate(addDays(days.from, -1), to);
  const ends = policies.map((policy) => ({ before: standOf(policy, before), after: standOf(policy, to) }));
  const booked = policies.flatMap(({ transactions }) => transactions).filter(({ bookedOn }) => within(bookedOn, known));
  const earned = sum(ends.map((end) => end.after.earnedCents - end.before.earnedCents));
  const moves = rows.moves.filter((move) => isIn(move) && within(move.on, known));
  const [incurred, paid] = [sum(moves.map((move) => move.incurredCents)), sum(moves.map((move) => move.paidCents))];
  const quoted = new Set(
    rows.quotes.filter((quote) => isIn(quote) && within(quote.on, known)).map(({ submissionId }) => submissionId),
  );
  const taken = new Set(
    rows.policies
      .filter((policy) => policy.renewalOf === null && (first(policy) ?? to) <= to)
      .map(({ submissionId }) => submissionId),
  );
  return {
    grossWrittenPremium: dollars(sum(booked.map(({ cents }) => cents))),
    inForcePremium: dollars(sum(ends.map(({ after }) => after.inForceCents))),
    earnedPremium: dollars(earned),
    unearnedPremium: dollars(sum(ends.map(({ after }) => after.writtenCents - after.earnedCents))),
    ...{ incurredLosses: dollars(incurred), paidLosses: dollars(paid) },
    ...{ lossRatio: ratio(incurred, earned), paidLossRatio: ratio(paid, earned) },
    bindingCount: booked.filter(({ type }) => type === 'new_business' || type === 'renewal').length,
    quoteCount: quoted.size,
    hitRatio: ratio([...quoted].filter((id) => taken.has(id)).length, quoted.size),
    policyCount: ends.filter(({ after }) => after.isInForce).length,
  };
}

/** The keys of a grouping that have anything under them. */
export function keysOf({ policies, moves, quotes }: KnownRows, by: Key): (string | null)[] {
  return [...new Set([...policies, ...moves, ...quotes].map((row) => row[by]))];
}

/** Commission by month or quarter. */
export function commissionsOf({ commissions }: KnownRows, days: Days, period: 'month' | 'quarter') {
  const labelOf = (on: string) =>
    period === 'month' ? on.slice(0, 7) : `${on.slice(0, 4)}-Q${Math.ceil(Number(on.slice(5, 7)) / 3)}`;
  const within_ = commissions.filter(({ on }) => within(on, days));
  return [...Map.groupBy(within_, ({ on }) => labelOf(on))]
    .map(([label, records]) => {
      const column = (n: number) => dollars(sum(records.map(({ cents }) => cents[n] ?? 0)));
      return {
        ...{ period: label, grossPremium: column(0), agentCommission: column(1), mgaCommission: column(2) },
        ...{ carrierNet: column(3), count: records.length },
      };
    })
    .sort((one, other) => (one.period < other.period ? -1 : 1));
}

/** Premium written under authority, net of returns, by the calendar year in which the term begins. */
export function usedOf({ policies }: KnownRows): Record<string, number> {
  const byYear = Map.groupBy(policies, ({ contract, starts }) => `${contract} ${starts.slice(0, 4)}`);
  const written = ({ transactions }: KnownPolicy) =>
    sum(transactions.filter(({ bookedOn }) => bookedOn !== null).map(({ cents }) => cents));
  return Object.fromEntries([...byYear].map(([year, ofYear]) => [year, dollars(sum(ofYear.map(written)))]));
}

/** Cumulative losses of each accident year at each year end so far. */
export function triangleOf({ moves }: KnownRows, today: string) {
  const years = [...new Set(moves.map(({ lossDate }) => lossDate.slice(0, 4)))].sort();
  return years.flatMap((year) => {
    const ofYear = moves.filter(({ lossDate }) => lossDate.startsWith(year));
    const ages = Number(today.slice(0, 4)) - Number(year) + 1;
    return Array.from({ length: ages }, (_, age) => {
      const by = ofYear.filter(({ on }) => Number(on.slice(0, 4)) <= Number(year) + age);
      return {
        ...{ accidentYear: Number(year), months: 12 * (age + 1) },
        incurred: dollars(sum(by.map(({ incurredCents }) => incurredCents))),
        paid: dollars(sum(by.map(({ paidCents }) => paidCents))),
      };
    });
  });
}

/** A period's bordereaux: what was written, and what claims cost and were paid. */
export function bordereauxOf({ policies, moves }: KnownRows, days: Days) {
  const booked = policies.flatMap(({ transactions }) => transactions).filter(({ bookedOn }) => within(bookedOn, days));
  const moved = moves.filter(({ on }) => within(on, days));
  return {
    written: { grossPremium: dollars(sum(booked.map(({ cents }) => cents))) },
    lost: {
      incurredThisMonth: dollars(sum(moved.map(({ incurredCents }) => incurredCents))),
      paid: dollars(sum(moved.map(({ paidCents }) => paidCents))),
    },
  };
}

/** The retention of terms that expired in a period. */
export function retentionOf({ policies }: KnownRows, { from, to }: Days, today: string) {
  const written = ({ transactions }: KnownPolicy, by = '9999-12-31') =>
    sum(transactions.filter(({ bookedOn }) => bookedOn !== null && bookedOn <= by).map(({ cents }) => cents));
  const endOf = ({ transactions }: KnownPolicy) =>
    transactions
      .filter(({ type, bookedOn }) => bookedOn !== null && ['cancellation', 'reinstatement'].includes(type))
      .at(-1);
  const cancelledOn = (policy: KnownPolicy) => {
    const last = endOf(policy);
    return last?.type === 'cancellation' ? last.starts : null;
  };
  const last = to < today ? to : today;
  const ended = policies.filter(
    (policy) => within(policy.ends, { from, to: last }) && (cancelledOn(policy) ?? policy.ends) >= policy.ends,
  );
  const renewed = ended.flatMap((policy) => {
    // A next term cancelled flat may have been replaced by another.
    const next = policies.find(
      (each) => each.renewalOf === policy.id && (cancelledOn(each) ?? each.ends) > each.starts,
    );
    return next === undefined ? [] : [{ policy, next }];
  });
  const [expiring, retained] = [
    sum(ended.map((each) => written(each))),
    sum(renewed.map(({ policy }) => written(policy))),
  ];
  return {
    ...{ expiringCount: ended.length, renewedCount: renewed.length, retention: ratio(renewed.length, ended.length) },
    ...{ expiringPremium: dollars(expiring), retainedPremium: dollars(retained) },
    premiumRetention: ratio(retained, expiring),
    renewalPremium: dollars(sum(renewed.map(({ next }) => next.transactions[0]?.cents ?? 0))),
  };
}

const BUCKETS: [name: string, last: number][] = [
  ['current', 0],
  ['1-30', 30],
  ['31-60', 60],
  ['61-90', 90],
  ['over_90', Number.POSITIVE_INFINITY],
];

/** The amounts owed today, by days past due. */
export function agingOf({ invoices }: KnownRows, today: string) {
  const lateBy = (due: string) => (Date.parse(today) - Date.parse(due)) / 86_400_000;
  const bucketOf = (due: string) => BUCKETS.find(([, last]) => lateBy(due) <= last)?.[0];
  return BUCKETS.map(([bucket]) => {
    const found = invoices.filter(({ dueDate }) => bucketOf(dueDate) === bucket);
    return { bucket, count: found.length, balance: dollars(sum(found.map(({ balanceCents }) => balanceCents))) };
  });
}
