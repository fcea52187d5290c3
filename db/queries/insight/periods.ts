// Shared by the analytics statements: their periods, and what they group by.
import type { Period } from '../../../domain/insight/portfolio.ts';

/** The column of a group in policy, claim and submission rows; months are periods instead. */
export const DIMENSIONS = {
  none: { ofPolicy: 'null::text', ofClaim: 'null::text', ofSubmission: 'null::text' },
  line: { ofPolicy: 'p.line_of_business', ofClaim: 'c.line_of_business', ofSubmission: 's.line_of_business' },
  state: { ofPolicy: 'p.state', ofClaim: 'c.state', ofSubmission: 's.state' },
  producer: { ofPolicy: 'p.producer_id', ofClaim: 'c.producer_id', ofSubmission: 's.producer_id' },
} as const;
export type Dimension = keyof typeof DIMENSIONS;

/** Figures of one period and one group; the key is null if a row belongs to no group. */
export type Grouped<T> = { label: string; key: string | null; figures: T };

/** The periods of the second parameter as rows. */
export const PERIODS = `
  select label, first::date as first, last::date as last
  from jsonb_to_recordset($2::jsonb) as given (label text, first text, last text)`;

/** Writes periods as the parameter that PERIODS reads. */
export function periodsText(periods: readonly Period[]): string {
  return JSON.stringify(periods);
}

/** Reads a row of sums and counts, which the driver returns as text. */
export function groupedOf<T>({ label, key, ...sums }: Record<string, string | null>): Grouped<T> {
  const figures = Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, Number(value)]));
  return { label: label ?? '', key: key ?? null, figures: figures as T };
}
