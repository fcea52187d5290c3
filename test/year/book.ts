// Two hundred insureds who pay, pay late, forget, leave and are not wanted any more: a book of business with all of it
// mixed.
import type { Habit } from './model.ts';

export interface Risk {
  insuredName: string;
  state: string;
  /** Days from the beginning of the story. */
  effective: number;
  installmentPlan: 'PAY_IN_FULL' | 'SEMI_ANNUAL_2' | 'QUARTERLY_4' | 'MONTHLY_10';
  habit: Habit;
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

/** Each kind of habit in turn; the numbers in it vary with the insured. */
const HABITS: ((i: number) => Habit)[] = [
  () => ({ kind: 'prompt' }),
  (i) => ({ kind: 'late', days: 1 + (i % 10) }),
  (i) => ({ kind: 'stops', after: i % 4 }),
  () => ({ kind: 'at_the_last_moment' }),
  (i) => ({ kind: 'leaves', on: 20 + ((i * 7) % 300) }),
  () => ({ kind: 'prompt' }),
  () => ({ kind: 'stops', after: 0 }),
  (i) => ({ kind: 'not_wanted', on: 100 + (i % 90) }),
  // After the notice has gone out, which is on the eleventh day.
  () => ({ kind: 'late', days: 15 }),
];

/**
 * Lists so many risks. States, plans and habits run through each other, since their numbers have no divisor in common.
 */
export function bookOf(count: number): Risk[] {
  return Array.from({ length: count }, (_, i) => ({
    insuredName: `Year Diner ${i}`,
    state: STATES[i % STATES.length] as string,
    effective: 5 + (i % 28),
    installmentPlan: PLANS[i % PLANS.length] as Risk['installmentPlan'],
    habit: (HABITS[i % HABITS.length] as (i: number) => Habit)(i),
  }));
}
