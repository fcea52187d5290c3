// What an API process holds in memory while it works.
import { setTimeout as delay } from 'node:timers/promises';

/** An address may send 120 probes a minute. */
const LOOK_EVERY_MS = 1_000;
const MIB = 1_048_576;

/** In MiB. Usage right after a garbage collection shows whether anything leaks: the lowest of many readings. */
export interface Memory {
  /** The lowest usage before and after the halfway point. */
  before: number;
  after: number;
  /** The highest figure from the system. */
  most: number;
}

export interface Watch {
  /** Call when half the work is done. */
  turn: () => void;
  end: () => Promise<Memory>;
}

/** Checks it once a second. */
export function watchMemory(baseUrl: string): Watch {
  const seen: Memory = { before: Number.POSITIVE_INFINITY, after: Number.POSITIVE_INFINITY, most: 0 };
  let half: 'before' | 'after' = 'before';
  let isOver = false;
  const look = async () => {
    const text = await (await fetch(`${baseUrl}/metrics`)).text();
    const mib = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]) / MIB;
    seen[half] = Math.min(seen[half], mib('nodejs_heap_size_used_bytes') + mib('nodejs_external_memory_bytes'));
    seen.most = Math.max(seen.most, mib('process_resident_memory_bytes'));
  };
  const looking = (async () => {
    while (!isOver) {
      await look();
      await delay(LOOK_EVERY_MS);
    }
  })();
  return {
    turn: () => {
      half = 'after';
    },
    end: async () => {
      isOver = true;
      await looking;
      return seen;
    },
  };
}
