/** Work that repeats for as long as the process runs, one round after the other. */
import { setTimeout as delay } from 'node:timers/promises';

export interface Repeating {
  /** Ends after the current round. */
  stop: () => Promise<void>;
}

export interface RepeatingOptions {
  /** Does a round and answers whether another should follow immediately rather than after the pause. */
  round: () => Promise<boolean>;
  pauseMs: number;
  /** Called with the error of a failed round, which is retried after the pause. */
  onFault: (error: unknown) => void;
}

/** Starts the first round immediately. */
export function startRepeating(options: RepeatingOptions): Repeating {
  const stopping = new AbortController();
  const running = keepGoing(options, stopping.signal);
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

async function keepGoing({ round, pauseMs, onFault }: RepeatingOptions, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const goesOn = await round().catch((error: unknown) => {
      onFault(error);
      return false;
    });
    if (!goesOn) await delay(pauseMs, undefined, { signal: stopping }).catch(() => {});
  }
}
