// The period of an analysis: from and to in a query, and their defaults.
import type { z } from 'zod';
import { type BusinessDate, yearOf } from '../../../domain/dates.ts';
import { validationError } from '../../../domain/errors.ts';
import { isoDate } from '../../spine/schemas.ts';

/** Spread this into a query. */
export const periodQuery = {
  from: isoDate.optional().meta({ description: 'The first day. Default: 1 January of the year of the last day.' }),
  to: isoDate.optional().meta({ description: 'The last day. Default: today.' }),
};

type Given = { [name in keyof typeof periodQuery]: z.output<(typeof periodQuery)[name]> };

/** Completes a period. @throws DomainError validation_failed on `from`, rule `max`, if it begins after its end */
export function periodOf({ from, to }: Partial<Given>, today: BusinessDate): { from: BusinessDate; to: BusinessDate } {
  const last = to ?? today;
  const first = from ?? `${yearOf(last)}-01-01`;
  if (first <= last) return { from: first, to: last };
  throw validationError('from', 'max', `from must not be later than ${last}.`, { latest: last });
}
