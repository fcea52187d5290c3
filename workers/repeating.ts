/** Work that repeats for as long as the process runs, one round after the other. */
import { setTimeout as delay } from 'node:timers/promises';

export interface Repeating {
  /** Ends after the current round. */
  stop: () => Promise<void>;
}

export interface RepeatingOptions {
  /** Does a round and returns whether another should follow immediately rather than after the pause. */
  round: () => Promise<boolean>;
  pauseMs: number;
  /** By default, like any other pause. */
  pauseAfterFaultMs?: number;
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

async function keepGoing(options: RepeatingOptions, stopping: AbortSignal): Promise<void> {
  const { round, pauseMs, pauseAfterFaultMs = pauseMs, onFault } = options;
  while (!stopping.aborted) {
    const pause = await round().then(
      (goesOn) => (goesOn ? 0 : pauseMs),
      (error: unknown) => {
        onFault(error);
        return pauseAfterFaultMs;
      },
    );
    if (pause > 0) await delay(pause, undefined, { signal: stopping }).catch(() => {});
  }
}
