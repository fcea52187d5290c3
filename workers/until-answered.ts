/**
 * Waits for a Temporal server that is starting, or slowed by a busy machine: a worker that gave up at its first call
 * would have to be restarted by hand.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { TransportError } from '@temporalio/worker';
import type { Logger } from 'pino';
import { engineFaultOf } from '../providers/temporal-errors.ts';

const AGAIN_AFTER_MS = 250;
const LOGGED_EVERY = 20;

export interface Waiting {
  logger: Logger;
  /** What the log says besides the reason. */
  fields?: Readonly<Record<string, unknown>>;
  /** Aborts the wait. */
  stopping?: AbortSignal;
  /** Whether the same call may succeed later; by default, if the error says that the server cannot be reached. */
  passes?: (error: unknown) => boolean;
}

/**
 * Calls Temporal, retrying every quarter of a second until it answers.
 * @throws Error of the call when waiting does not help; AbortError when the wait was ended
 */
export async function untilAnswered<T>(call: () => Promise<T>, waiting: Waiting): Promise<T> {
  const { logger, fields = {}, stopping, passes = isPassing } = waiting;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      stopping?.throwIfAborted();
      if (!passes(error)) throw error;
      if (attempt % LOGGED_EVERY === 1) {
        logger.warn({ ...fields, reason: String(error) }, 'Temporal does not answer yet');
      }
      await delay(AGAIN_AFTER_MS, undefined, stopping ? { signal: stopping } : {});
    }
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof TransportError || (engineFaultOf(error)?.passes ?? false);
}
