// The two ways to read any object type: one by id, and a list.
import { allowOnly } from '../form.ts';
import { type Operation, shown } from '../operation.ts';
import { missing } from '../problem.ts';
import type { StoredObject } from '../wire.ts';
import { type ListOf, page } from './lists.ts';

/** GET an object by id. */
export function readingOf(kind: StoredObject['object']): Operation {
  return ({ store, id, form }) => {
    allowOnly(form);
    const object = store.find(kind, id);
    if (object === null) throw missing(kind, id);
    return shown(object);
  };
}

/** GET a list. */
export function listingOf(list: ListOf): Operation {
  return (call) => page(call, list);
}
