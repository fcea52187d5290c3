// Two hundred insureds who pay, pay late, forget, leave, are non-renewed, change, come back or bounce a check: a book
// of business with all of it mixed.
import type { Habit } from './model.ts';
import type { Turn } from './turns.ts';

export interface Risk {
  insuredName: string;
  state: string;
  /** Days from the start of the story. */
  effective: number;
  installmentPlan: 'PAY_IN_FULL' | 'SEMI_ANNUAL_2' | 'QUARTERLY_4' | 'MONTHLY_10';
  habit: Habit;
  /** Whether they come through their own agent. */
  hasAgent: boolean;
}

const STATES = ['TX', 'CA', 'NY', 'FL', 'IL'];
const PLANS = [
  'PAY_IN_FULL',
  'QUARTERLY_4',
  'SEMI_ANNUAL_2',
  'PAY_IN_FULL',
  'MONTHLY_10',
  'SEMI_ANNUAL_2',
  'PAY_IN_FULL',
] as const;

/** The kinds of habit in turn; their numbers vary with the insured. */
const HABITS: ((i: number) => Habit)[] = [
  () => ({ kind: 'prompt' }),
  (i) => ({ kind: 'late', days: 1 + (i % 10) }),
  (i) => ({ kind: 'stops', after: i % 4 }),
  () => ({ kind: 'at_the_last_moment' }),
  (i) => ({ kind: 'leaves', on: 20 + ((i * 7) % 300) }),
  () => ({ kind: 'prompt' }),
  () => ({ kind: 'stops', after: 0 }),
  (i) => ({ kind: 'not_wanted', on: 100 + (i % 90) }),
  // After the notice has gone out, on the eleventh day.
  () => ({ kind: 'late', days: 15 }),
];

/** First days are four apart, so that the clock stops for several lives together. */
const firstDay = (i: number) => 5 + 4 * (i % 8);

/** The day of the term on which a life takes its turn, which falls on one of three calendar days. */
const turnDay = (i: number) => 105 + 40 * (i % 3) - firstDay(i);

/** One in this many comes without an agent. */
const EVERY_WITHOUT_AGENT = 3;

/** How many of all lives take a turn: enough for each turn in each state. */
const TURNING = 40;

const TURNS: ((i: number) => Turn)[] = [
  (i) => ({ kind: 'changes', on: turnDay(i), toPercent: 150 }),
  (i) => ({ kind: 'changes', on: turnDay(i), toPercent: 60 }),
  (i) => ({ kind: 'comes_back', on: turnDay(i), hasGap: false }),
  (i) => ({ kind: 'comes_back', on: turnDay(i), hasGap: true }),
  (i) => ({ kind: 'bounces', on: 40 - firstDay(i), paysAgain: true }),
  (i) => ({ kind: 'bounces', on: 40 - firstDay(i), paysAgain: false }),
  (i) => ({ kind: 'is_refunded', on: turnDay(i), cents: 10_001 + 977 * i }),
  () => ({ kind: 'is_billed_again' }),
];

/** Lists that many risks. States, plans and habits combine fully, since their counts have no common divisor. */
export function bookOf(count: number): Risk[] {
  return Array.from({ length: count }, (_, i) => ({
    insuredName: `Year Diner ${i}`,
    state: STATES[i % STATES.length] as string,
    effective: firstDay(i),
    hasAgent: i % EVERY_WITHOUT_AGENT !== 0,
    ...(i < TURNING ? turning(i) : paying(i)),
  }));
}

function turning(i: number): Pick<Risk, 'installmentPlan' | 'habit'> {
  const turn = (TURNS[i % TURNS.length] as (i: number) => Turn)(i);
  return { installmentPlan: 'PAY_IN_FULL', habit: { kind: 'turns', turn } };
}

function paying(i: number): Pick<Risk, 'installmentPlan' | 'habit'> {
  return {
    installmentPlan: PLANS[i % PLANS.length] as Risk['installmentPlan'],
    habit: (HABITS[i % HABITS.length] as (i: number) => Habit)(i),
  };
}
