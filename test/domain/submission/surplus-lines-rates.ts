// The reference data's surplus lines rates, selected as the database does for a state and a day.
import { SURPLUS_LINES_RATES } from '../../../db/seed/data/surplus-lines-rates.ts';
import type { SurplusLinesRate } from '../../../domain/submission/taxes.ts';

/** @throws Error when the state has no rates that early */
export function surplusLinesRates(state: string, date: string): SurplusLinesRate {
  const inForce = SURPLUS_LINES_RATES.filter((row) => row.state === state && row.effectiveFrom <= date);
  const [latest] = inForce.toSorted((a, b) => (a.effectiveFrom < b.effectiveFrom ? 1 : -1));
  if (latest === undefined) throw new Error(`no rates for ${state} on ${date}`);
  return latest;
}
