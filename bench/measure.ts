// Runs work in a closed loop with bounded concurrency and times each piece; summarises rounds by their medians.

import type { Cpu } from './cpu.ts';

/** One round: how long each piece of work took, and the whole round. */
export interface Round {
  latenciesMs: number[];
  elapsedMs: number;
  /** Per piece, including the work after its answer. */
  cpu?: Cpu;
}

export interface Figures {
  p50Ms: number;
  p95Ms: number;
  perSecond: number;
  cpu?: Cpu;
}

/** Does the work for every item, `inFlight` at a time; when one is done, the next begins. */
export async function measure<T>(
  items: readonly T[],
  inFlight: number,
  work: (item: T) => Promise<void>,
): Promise<Round> {
  const latenciesMs: number[] = [];
  const queue = items.values();
  const takeTurns = async () => {
    for (const item of queue) {
      const begunAt = performance.now();
      await work(item);
      latenciesMs.push(performance.now() - begunAt);
    }
  };
  const begunAt = performance.now();
  await Promise.all(Array.from({ length: inFlight }, takeTurns));
  return { latenciesMs, elapsedMs: performance.now() - begunAt };
}

/** The medians, over the rounds, of their p50, p95 and throughput. */
export function summarize(rounds: readonly Round[]): Figures {
  return {
    p50Ms: median(rounds.map(({ latenciesMs }) => quantile(latenciesMs, 0.5))),
    p95Ms: median(rounds.map(({ latenciesMs }) => quantile(latenciesMs, 0.95))),
    perSecond: median(rounds.map(({ latenciesMs, elapsedMs }) => (latenciesMs.length * 1000) / elapsedMs)),
    ...medianCpu(rounds.flatMap(({ cpu }) => (cpu ? [cpu] : []))),
  };
}

/** Empty if none was read. */
function medianCpu(readings: readonly Cpu[]): { cpu?: Cpu } {
  const [first] = readings;
  if (!first) return {};
  const kinds = Object.keys(first) as (keyof Cpu)[];
  return { cpu: Object.fromEntries(kinds.map((kind) => [kind, median(readings.map((one) => one[kind]))])) as Cpu };
}

/** The `q` quantile of the values, by nearest rank. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Takes the first `count` items off a prepared list. @throws Error when too few are left */
export function take<T>(prepared: T[], count: number): T[] {
  if (prepared.length < count) throw new Error(`${count} items are needed and ${prepared.length} are prepared`);
  return prepared.splice(0, count);
}
