// The closed lists: lines of business, states, installment plans. Contract 3.1.

/** Lines of business: general liability, commercial auto, motor truck cargo, commercial property, business owners,
 * professional liability, cyber, umbrella, workers compensation. */
export const LINES_OF_BUSINESS = ['GL', 'CA', 'MTC', 'CP', 'BOP', 'PL', 'CYBER', 'UMB', 'WC'] as const;
export type LineOfBusiness = (typeof LINES_OF_BUSINESS)[number];

/** Lines to which the fire and property components of the surplus-lines taxes apply. Contract 3.1. */
export const PROPERTY_LINES: readonly LineOfBusiness[] = ['CP', 'BOP'];

/** Lines written on a claims-made basis: they cover claims first made in the term, not losses that occur in it. */
const CLAIMS_MADE_LINES: readonly string[] = ['PL', 'CYBER'] satisfies LineOfBusiness[];

/** Whether a line is written on a claims-made basis. */
export function isClaimsMade(line: string): boolean {
  return CLAIMS_MADE_LINES.includes(line);
}

/** The 50 states and the District of Columbia, by postal code. */
export const STATES = [
  ...(['AL', 'AK', 'AZ', 'AR', 'CA', 'CO', 'CT', 'DE', 'DC', 'FL', 'GA', 'HI', 'ID', 'IL', 'IN', 'IA', 'KS'] as const),
  ...(['KY', 'LA', 'ME', 'MD', 'MA', 'MI', 'MN', 'MS', 'MO', 'MT', 'NE', 'NV', 'NH', 'NJ', 'NM', 'NY', 'NC'] as const),
  ...(['ND', 'OH', 'OK', 'OR', 'PA', 'RI', 'SC', 'SD', 'TN', 'TX', 'UT', 'VT', 'VA', 'WA', 'WV', 'WI', 'WY'] as const),
] as const;

/** The ways to pay a policy's premium. Contract 3.1, "Bind". */
export const INSTALLMENT_PLANS = ['PAY_IN_FULL', 'SEMI_ANNUAL_2', 'QUARTERLY_4', 'MONTHLY_10', 'MONTHLY_12'] as const;
export type InstallmentPlan = (typeof INSTALLMENT_PLANS)[number];

/** Due months of a plan's installments after the anchor date; one entry per installment. */
export const INSTALLMENT_MONTHS: Record<InstallmentPlan, readonly number[]> = {
  PAY_IN_FULL: [0],
  SEMI_ANNUAL_2: [0, 6],
  QUARTERLY_4: [0, 3, 6, 9],
  MONTHLY_10: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  MONTHLY_12: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
};
