// Lists as on the wire: newest first, filtered by time and by the object they belong to, and paged after or before an
// id.
import { allowOnly, amountOf, type Form, secondsIn, textOf } from '../form.ts';
import { type Call, shown } from '../operation.ts';
import { badParameter, missing } from '../problem.ts';
import type { Condition, Page } from '../store.ts';
import type { Answer, StoredObject } from '../wire.ts';

const DEFAULT_LIMIT = 10;
const LARGEST_LIMIT = 100;
const COMPARISONS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
const OF_EVERY_LIST = ['limit', 'starting_after', 'ending_before', 'created'];

/** What is listed, and the parameters besides those common to all lists; each names a field of the objects. */
export interface ListOf {
  url: string;
  kind: StoredObject['object'];
  filters?: readonly string[];
}

/** Returns a page of objects. */
export function page(call: Call, { url, kind, filters = [] }: ListOf): Answer {
  const { form, store } = call;
  allowOnly(form, ...OF_EVERY_LIST, ...filters);
  const limit = amountOf(form, 'limit') ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > LARGEST_LIMIT) throw badParameter('limit', `Invalid limit: ${limit}`);
  const after = cursorOf(call, kind, 'starting_after');
  const before = cursorOf(call, kind, 'ending_before');
  if (after !== null && before !== null) {
    throw badParameter('ending_before', 'You may not use starting_after and ending_before together.');
  }
  const wanted: Page = { conditions: [...createdIn(form), ...equalTo(form, filters)], after, before, limit: limit + 1 };
  const found = store.page(kind, wanted);
  const data = before === null ? found.slice(0, limit) : found.slice(-limit);
  return shown({ object: 'list', url, has_more: found.length > limit, data });
}

/** The id that a page starts from, which must be in this list. */
function cursorOf({ form, store }: Call, kind: StoredObject['object'], name: string): string | null {
  const id = textOf(form, name);
  if (id !== null && store.find(kind, id) === null) throw missing(kind, id, name, 400);
  return id;
}

/** `created=<seconds>`, or `created[gte]=…` and the other comparisons. */
function createdIn(form: Form): Condition[] {
  const { created } = form;
  if (created === undefined) return [];
  if (typeof created === 'string') return [{ field: 'created', comparison: '=', value: secondsIn(form, 'created') }];
  allowOnly(created, ...Object.keys(COMPARISONS));
  return Object.entries(COMPARISONS)
    .filter(([name]) => name in created)
    .map(([name, comparison]) => ({ field: 'created', comparison, value: secondsIn(created, name) }));
}

function equalTo(form: Form, filters: readonly string[]): Condition[] {
  return filters
    .map((field) => ({ field, value: textOf(form, field) }))
    .flatMap(({ field, value }) => (value === null ? [] : [{ field, comparison: '=' as const, value }]));
}
