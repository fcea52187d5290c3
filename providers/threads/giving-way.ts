// How work that nobody waits for gives way to commands on a busy machine. Its processes have a lower priority already,
// but the database and the Temporal server work for it with the weight that they have for a caller. decisions/0335
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** So many pieces come without a rest. */
const SHORT_LIST = 10;
/** A machine is busy where a smaller share of its processors has nothing to do. */
const IDLE_AT_LEAST = 0.2;
const LONGEST_REST_MS = 3_000;
/** A list is over when nothing has come for so long. */
const LIST_ENDS_AFTER_MS = 5_000;

/** What has just been done: how long it took, how many pieces without a rest, and what of the processors was idle. */
export interface PieceOfWork {
  tookMs: number;
  inARow: number;
  idleShare: number;
}

/** Milliseconds to rest before the next piece: on a busy machine, so many times what the last one took. */
export function restAfter({ tookMs, inARow, idleShare }: PieceOfWork, times: number): number {
  if (inARow <= SHORT_LIST || idleShare >= IDLE_AT_LEAST) return 0;
  return Math.min(LONGEST_REST_MS, tookMs * times);
}

/** Does the pieces of a list one after the other, with rests between them. */
export class GivesWay {
  readonly #times: number;
  readonly #watch: () => () => number;
  #inARow = 0;
  #lastEndedAt = 0;

  /** @param times how long it rests on a busy machine, by what a piece took */
  constructor(times: number, watch = watchProcessors) {
    this.#times = times;
    this.#watch = watch;
  }

  /** Does a piece and rests if it has to. */
  async piece<R>(work: () => Promise<R>, stopping?: AbortSignal): Promise<R> {
    const [begunAt, idleShare] = [performance.now(), this.#watch()];
    const result = await work();
    this.#inARow = begunAt - this.#lastEndedAt > LIST_ENDS_AFTER_MS ? 1 : this.#inARow + 1;
    const done = { tookMs: performance.now() - begunAt, inARow: this.#inARow, idleShare: idleShare() };
    const restMs = restAfter(done, this.#times);
    if (restMs > 0) await delay(restMs, undefined, stopping && { signal: stopping }).catch(() => {});
    this.#lastEndedAt = performance.now();
    return result;
  }
}

/** Begins to watch the processors of the machine. Gives what share of them has had nothing to do since then, 0 to 1. */
export function watchProcessors(): () => number {
  const before = processorTime();
  return () => {
    const now = processorTime();
    const all = now.all - before.all;
    // Their times count in hundredths of a second: nothing is known of a shorter moment.
    return all > 0 ? (now.idle - before.idle) / all : 1;
  };
}

function processorTime(): { idle: number; all: number } {
  const times = cpus().map(({ times }) => times);
  const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap((each) => Object.values(each))) };
}
