// The input of one operation of the API: the request, the state, and a way to emit events.
import type { Emit } from './events.ts';
import type { Form } from './form.ts';
import type { Store } from './store.ts';
import type { Answer } from './wire.ts';

export interface Work {
  store: Store;
  nowMs: number;
  emit: Emit;
}

export interface Call extends Work {
  /** The part of the path that names an object. */
  id: string;
  /** Parameters of the body or, for GET, of the query. */
  form: Form;
}

export type Operation = (call: Call) => Answer;

/** Builds an answer that shows an object. */
export function shown(object: unknown): Answer {
  return { status: 200, body: object };
}

/** Unix seconds. */
export function secondsOf({ nowMs }: Work): number {
  return Math.floor(nowMs / 1000);
}
