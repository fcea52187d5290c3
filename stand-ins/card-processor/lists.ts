// Lists as the wire has them: newest first, continued after an id.
import { allowOnly, amountOf, textOf } from './form.ts';
import { type Call, shown } from './operation.ts';
import { badParameter } from './problem.ts';
import type { Answer, StoredObject } from './wire.ts';

const DEFAULT_LIMIT = 10;
const LARGEST_LIMIT = 100;

/** A page of objects; `filters` are the parameters that the operation has besides those of paging. */
export function page(url: string, { form }: Call, objects: readonly StoredObject[], ...filters: string[]): Answer {
  allowOnly(form, 'limit', 'starting_after', ...filters);
  const limit = amountOf(form, 'limit') ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > LARGEST_LIMIT) throw badParameter('limit', `Invalid limit: ${limit}`);
  const after = textOf(form, 'starting_after');
  const from = after === null ? 0 : objects.findIndex(({ id }) => id === after) + 1;
  const data = objects.slice(from, from + limit);
  return shown({ object: 'list', url, has_more: objects.length > from + limit, data });
}
