/** Work that is done again and again for as long as the process runs, one round after the other. */
import { setTimeout as delay } from 'node:timers/promises';

export interface Repeating {
  /** Ends after the round that is running. */
  stop: () => Promise<void>;
}

export interface RepeatingOptions {
  /** Does a round and tells whether another is to follow at once; otherwise the next comes after the pause. */
  round: () => Promise<boolean>;
  pauseMs: number;
  /** Told of a round that failed; it is tried again after the pause. */
  onFault: (error: unknown) => void;
}

/** Starts with the first round at once. */
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
