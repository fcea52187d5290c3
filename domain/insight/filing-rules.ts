// Surplus-lines deadlines by state: policy filings, tax reports and stamping fees, as rows with their first effective
// day. If a source gives a tax report's period but no day, annual reports are assumed due on 1 March and others 45
// days after the period, as most states with a published day require. A state without a row has no known deadline.
import type { BusinessDate } from '../dates.ts';

/**
 * When a filing is due. `dates` are `MM-DD`, one for each period of the year in order: the first such day after the
 * period's end.
 */
export type FilingDue =
  | { type: 'days_from_effective'; days: number }
  | { type: 'days_from_later_of_effective_and_issue'; days: number }
  | { type: 'days_after_period'; periodMonths: number; days: number }
  | { type: 'dates_after_period'; periodMonths: number; dates: readonly string[] };

export type FilingKind = 'sl_policy_filing' | 'sl_tax_payment' | 'stamping_fee' | 'diligent_search_report';

export interface FilingRule {
  state: string;
  kind: FilingKind;
  effectiveFrom: BusinessDate;
  due: FilingDue;
}

const SINCE = '1900-01-01';

function policyFiling(state: string, due: FilingDue): FilingRule {
  return { state, kind: 'sl_policy_filing', effectiveFrom: SINCE, due };
}

function taxReport(state: string, due: FilingDue): FilingRule {
  return { state, kind: 'sl_tax_payment', effectiveFrom: SINCE, due };
}

function stampingFee(state: string, due: FilingDue): FilingRule {
  return { state, kind: 'stamping_fee', effectiveFrom: SINCE, due };
}

const QUARTERLY: FilingDue = { type: 'days_after_period', periodMonths: 3, days: 45 };
const SEMI_ANNUAL: FilingDue = { type: 'days_after_period', periodMonths: 6, days: 45 };
const ANNUAL: FilingDue = { type: 'dates_after_period', periodMonths: 12, dates: ['03-01'] };
/** May 15, August 14, November 14, February 14: the 45th day after the quarter. */
const FLORIDA: FilingDue = { type: 'dates_after_period', periodMonths: 3, dates: ['05-15', '08-14', '11-14', '02-14'] };
/** No due day is published for monthly invoices: they are assumed due 30 days after the month. Decision 0332. */
const MONTHLY_INVOICE: FilingDue = { type: 'days_after_period', periodMonths: 1, days: 30 };

export const FILING_RULES: readonly FilingRule[] = [
  // Florida Surplus Lines Service Office: within 30 days, the effective date counting as the first; tax by quarter, and
  // the office's own fee on the same days (Fla. Stat. 626.9325(2)).
  policyFiling('FL', { type: 'days_from_effective', days: 29 }),
  taxReport('FL', FLORIDA),
  stampingFee('FL', FLORIDA),
  // Surplus Lines Stamping Office of Texas: late after 60 days, its fee invoiced by the month; tax by Tex. Ins. Code
  // § 225.008.
  policyFiling('TX', { type: 'days_from_later_of_effective_and_issue', days: 60 }),
  taxReport('TX', ANNUAL),
  stampingFee('TX', MONTHLY_INVOICE),
  // Surplus Line Association of California (form SL-1); annual tax, as for a broker below the monthly threshold.
  policyFiling('CA', { type: 'days_from_effective', days: 60 }),
  taxReport('CA', ANNUAL),
  // Excess Line Association of New York.
  policyFiling('NY', { type: 'days_from_effective', days: 45 }),
  taxReport('NY', { type: 'dates_after_period', periodMonths: 12, dates: ['03-15'] }),
  taxReport('AZ', { type: 'dates_after_period', periodMonths: 6, dates: ['08-15', '02-15'] }),
  taxReport('AR', { type: 'days_after_period', periodMonths: 3, days: 60 }),
  taxReport('AK', { type: 'dates_after_period', periodMonths: 3, dates: ['06-01', '09-01', '12-01', '03-01'] }),
  {
    state: 'AL',
    kind: 'diligent_search_report',
    effectiveFrom: SINCE,
    due: { type: 'days_from_effective', days: 30 },
  },
  taxReport('AL', ANNUAL),
  taxReport('ME', QUARTERLY),
  ...['GA', 'CT', 'HI', 'LA'].map((state) => taxReport(state, QUARTERLY)),
  ...['DC', 'IL', 'MI'].map((state) => taxReport(state, SEMI_ANNUAL)),
  ...['IN', 'MA', 'KS', 'KY', 'ID', 'IA'].map((state) => taxReport(state, ANNUAL)),
];
