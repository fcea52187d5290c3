// How many workflows a worker keeps in memory: the others are replayed from their history when a command comes.
import { totalmem } from 'node:os';

/** Measured: a thousand entities at rest took 310 MB outside the heap. */
const BYTES_PER_WORKFLOW = 320 * 1024;
/** The rest is for the heap, the connections, and other processes if nothing limits this one. */
const SHARE_OF_MEMORY = 0.2;
/** Fewer would cause replays for callers working at the same time; more only fill memory. */
const FEWEST = 200;
const MOST = 5_000;

/** The number of workflows for this much memory, in bytes. */
export function cachedWorkflows(memoryBytes: number): number {
  const fitting = Math.floor((memoryBytes * SHARE_OF_MEMORY) / BYTES_PER_WORKFLOW);
  return Math.min(MOST, Math.max(FEWEST, fitting));
}

/** The memory this process may use: its container's, or the machine's. */
export function memoryOfProcess(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}
