// Takes turns at a pool's threads: a fixed number of tasks run at the same time, and the others wait in order of
// arrival, none longer than its caller does.
import { busyMachine } from './busy-machine.ts';

export interface TurnsPlan {
  /** Tasks that run at the same time. */
  threads: number;
  /** Tasks that may wait. */
  waiting: number;
  /** The message if too many are already waiting, or a wait was too long. */
  busy: string;
  /** Milliseconds that the current caller will still wait. */
  remainingMs: () => number;
}

interface Waiting {
  call: () => void;
  refuse: () => void;
}

/** Timers cannot be longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Creates the turns. */
export function createTurns({ threads, waiting: most, busy, remainingMs }: TurnsPlan) {
  const waiting = new Set<Waiting>();
  let free = threads;
  let isClosed = false;
  const refused = () => busyMachine(busy);
  /** Waits until a turn is given back, at most for as long as the caller does. */
  const called = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const left = () => {
        waiting.delete(place);
        clearTimeout(timer);
      };
      const place = {
        call: () => {
          left();
          resolve();
        },
        refuse: () => {
          left();
          reject(refused());
        },
      };
      const leftMs = remainingMs();
      const timer = leftMs > LONGEST_TIMER_MS ? undefined : setTimeout(place.refuse, leftMs);
      waiting.add(place);
    });
  return {
    /** @throws DomainError service_unavailable if too many wait, the caller no longer waits, or the pool is closed */
    take: async (): Promise<void> => {
      if (isClosed || remainingMs() <= 0) throw refused();
      if (free > 0) {
        free--;
        return;
      }
      if (waiting.size >= most) throw refused();
      await called();
    },
    giveBack: (): void => {
      const [next] = waiting;
      if (next) next.call();
      else free++;
    },
    /** @throws DomainError service_unavailable once the pool is closed */
    ensureOpen: (): void => {
      if (isClosed) throw refused();
    },
    close: (): void => {
      isClosed = true;
      for (const { refuse } of [...waiting]) refuse();
    },
  };
}
