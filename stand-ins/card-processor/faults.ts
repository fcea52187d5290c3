// Planned faults: the next calls of an operation fail, before or after doing their work.
import { Problem } from './problem.ts';

export interface Fault {
  method: 'GET' | 'POST';
  /** Prefix of the paths, e.g. `/v1/refunds`. */
  path: string;
  /** `cut_after`: the work is done and the connection breaks before the answer. */
  effect: 'cut_before' | 'cut_after' | 'error_500' | 'decline';
  /** How many calls fail. */
  times: number;
}

/** Faults in the order they were planned. */
export class Faults {
  #planned: Fault[] = [];

  plan(fault: Fault): void {
    this.#planned.push({ ...fault });
  }

  clear(): void {
    this.#planned = [];
  }

  /** Returns this call's fault and counts it down; null if there is none. */
  next(method: string, path: string): Fault['effect'] | null {
    const fault = this.#planned.find((planned) => planned.method === method && path.startsWith(planned.path));
    if (fault === undefined) return null;
    fault.times -= 1;
    if (fault.times <= 0) this.#planned.splice(this.#planned.indexOf(fault), 1);
    return fault.effect;
  }
}

/** Throws the answer that a call gets instead of being carried out. */
export function refuseByFault(effect: Fault['effect'] | null): void {
  if (effect === 'error_500') {
    throw new Problem(500, { type: 'api_error', message: 'Something went wrong on our end.' });
  }
  if (effect === 'decline') {
    throw new Problem(402, { type: 'card_error', code: 'card_declined', message: 'The bank has declined.' });
  }
}
