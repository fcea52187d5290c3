// The filter of lists by the second in which an object was created: `created[gte]`, `created[lt]`.
import { allowOnly, type Form, textOf } from './form.ts';
import { badParameter } from './problem.ts';

/** The objects that a list shows by its parameter `created`; without one, all. */
export function createdWithin<T extends { created: number }>(form: Form, objects: readonly T[]): T[] {
  const range = form.created ?? {};
  if (typeof range === 'string') throw badParameter('created', 'Invalid object');
  allowOnly(range, 'gte', 'gt', 'lte', 'lt');
  const [gte, gt, lte, lt] = ['gte', 'gt', 'lte', 'lt'].map((name) => secondsOf(range, name));
  return objects.filter(
    ({ created }) =>
      created >= (gte ?? created) && created > (gt ?? -1) && created <= (lte ?? created) && created < (lt ?? Infinity),
  );
}

function secondsOf(range: Form, name: string): number | null {
  const text = textOf(range, name);
  if (text === null) return null;
  if (!/^\d{1,12}$/.test(text)) throw badParameter(`created[${name}]`, `Invalid timestamp: ${text}`);
  return Number(text);
}
