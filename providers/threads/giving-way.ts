// How background work gives way to commands on a busy machine. Its processes already run at a lower priority, but the
// database and the Temporal server serve it with the same priority as a caller. decisions/0335
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** A machine is busy if less than this share of its processors is idle. */
const IDLE_AT_LEAST = 0.2;
const LONGEST_REST_MS = 1_000;

/** How a piece of work went: how long it took, and what share of the processors was idle meanwhile. */
export interface PieceOfWork {
  tookMs: number;
  idleShare: number;
}

export interface Rests {
  /** How long to rest on a busy machine, as a multiple of the time the piece took. */
  times: number;
  /** Ends a rest. */
  stopping?: AbortSignal;
  /** For tests; by default the processors of the machine. */
  watch?: () => () => number;
}

/** Does a piece of work, and rests afterwards if the machine is busy. */
export async function givingWay<R>(work: () => Promise<R>, rests: Rests): Promise<R> {
  const { times, stopping, watch = watchProcessors } = rests;
  const [begunAt, idleShare] = [performance.now(), watch()];
  const result = await work();
  const restMs = restAfter({ tookMs: performance.now() - begunAt, idleShare: idleShare() }, times);
  if (restMs > 0) await delay(restMs, undefined, stopping && { signal: stopping }).catch(() => {});
  return result;
}

/** Milliseconds to rest before the next piece. */
export function restAfter({ tookMs, idleShare }: PieceOfWork, times: number): number {
  return idleShare >= IDLE_AT_LEAST ? 0 : Math.min(LONGEST_REST_MS, tookMs * times);
}

/** Starts watching the machine's processors. Returns the share of them that was idle since then, 0 to 1. */
export function watchProcessors(): () => number {
  const before = processorTime();
  return () => {
    const now = processorTime();
    const all = now.all - before.all;
    // CPU times come in hundredths of a second: nothing can be said about a shorter interval.
    return all > 0 ? (now.idle - before.idle) / all : 1;
  };
}

function processorTime(): { idle: number; all: number } {
  const times = cpus().map(({ times }) => times);
  const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap((each) => Object.values(each))) };
}
