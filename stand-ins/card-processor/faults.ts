// Planned faults: the next calls of an operation go wrong, before or after they have done their work.
import { Problem } from './problem.ts';

export interface Fault {
  method: 'GET' | 'POST';
  /** Beginning of the paths, e.g. `/v1/refunds`. */
  path: string;
  /** `cut_after`: the work is done and the connection breaks before the answer. */
  effect: 'cut_before' | 'cut_after' | 'error_500' | 'decline';
  /** How many calls go wrong. */
  times: number;
}

/** Faults in the order in which they were planned. */
export class Faults {
  #planned: Fault[] = [];

  plan(fault: Fault): void {
    this.#planned.push({ ...fault });
  }

  clear(): void {
    this.#planned = [];
  }

  /** What is to go wrong with this call, counted down; null for nothing. */
  next(method: string, path: string): Fault['effect'] | null {
    const fault = this.#planned.find((planned) => planned.method === method && path.startsWith(planned.path));
    if (fault === undefined) return null;
    fault.times -= 1;
    if (fault.times <= 0) this.#planned.splice(this.#planned.indexOf(fault), 1);
    return fault.effect;
  }
}

/** Throws what a call is answered with instead of being done. */
export function refuseByFault(effect: Fault['effect'] | null): void {
  if (effect === 'error_500') {
    throw new Problem(500, { type: 'api_error', message: 'Something went wrong on our end.' });
  }
  if (effect === 'decline') {
    throw new Problem(402, { type: 'card_error', code: 'card_declined', message: 'The bank has declined.' });
  }
}
