// The state filings that a surplus-lines policy requires, with their due dates. Sandbox policies are never reported
// (Spec 1.5) and require none. Contract 3.7 "Compliance filings".
import { addDays, type BusinessDate, lastDayOf, maxDate, monthAfter, monthOf, yearOf } from '../dates.ts';
import { FILING_RULES, type FilingRule } from './filing-rules.ts';

/** A required filing and its last timely day. */
export interface DueFiling {
  kind: string;
  state: string;
  dueDate: BusinessDate;
}

/** What decides which filings are required, and when they are due. */
export interface FilingFacts {
  state: string;
  effectiveDate: BusinessDate;
  issuedOn: BusinessDate;
  environmentIsSandbox: boolean;
}

/**
 * Lists a policy's filings at bind, earliest first. Deadlines in days count from the effective date, or from the later
 * of effective and issue date; periodic ones are due for the period that contains the later of the two. A state without
 * rows requires nothing known here. Contract 3.7.
 */
export function filingsAtBind(facts: FilingFacts): DueFiling[] {
  if (facts.environmentIsSandbox) return [];
  return rulesInForce(FILING_RULES, facts)
    .map((rule) => ({
      kind: rule.kind,
      state: rule.state,
      dueDate: dueDate(rule, facts.effectiveDate, facts.issuedOn),
    }))
    .sort((a, b) => (a.dueDate < b.dueDate ? -1 : a.dueDate > b.dueDate ? 1 : 0));
}

/** Picks the newest rule of each kind that a state has in force on a day. */
export function rulesInForce(
  rules: readonly FilingRule[],
  { state, effectiveDate }: Pick<FilingFacts, 'state' | 'effectiveDate'>,
): FilingRule[] {
  const begun = rules.filter((rule) => rule.state === state && rule.effectiveFrom <= effectiveDate);
  const inOrder = begun.toSorted((a, b) => (a.effectiveFrom < b.effectiveFrom ? -1 : 1));
  return [...new Map(inOrder.map((rule) => [rule.kind, rule])).values()];
}

/**
 * Lists the filings of a change that moves premium, earliest first: its own filing and the tax report of its period. A
 * diligent search is reported once, at bind.
 */
export function filingsOfChange(facts: FilingFacts): DueFiling[] {
  return filingsAtBind(facts).filter(({ kind }) => kind !== 'diligent_search_report');
}

function dueDate({ due }: FilingRule, effectiveDate: BusinessDate, issuedOn: BusinessDate): BusinessDate {
  const booked = maxDate(effectiveDate, issuedOn);
  if (due.type === 'days_from_effective') return addDays(effectiveDate, due.days);
  if (due.type === 'days_from_later_of_effective_and_issue') return addDays(booked, due.days);
  const periodEnd = endOfPeriod(booked, due.periodMonths);
  if (due.type === 'days_after_period') return addDays(periodEnd, due.days);
  const index = Math.floor((Number(periodEnd.slice(5, 7)) - 1) / due.periodMonths);
  const monthDay = due.dates[index] ?? '12-31';
  const sameYear = `${periodEnd.slice(0, 4)}-${monthDay}`;
  return sameYear > periodEnd ? sameYear : `${yearOf(periodEnd) + 1}-${monthDay}`;
}

/** The last day of the month, quarter, half-year or year containing a date. */
function endOfPeriod(date: BusinessDate, periodMonths: number): BusinessDate {
  const month = Number(date.slice(5, 7)) - 1;
  const monthsToNext = periodMonths - (month % periodMonths);
  return lastDayOf(monthAfter(monthOf(date), monthsToNext - 1));
}
