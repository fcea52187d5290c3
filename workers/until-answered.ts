/**
 * Waits for a Temporal server that is starting, or that a busy machine slows down: a worker that gave up at its first
 * call would have to be started again by somebody.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { TransportError } from '@temporalio/worker';
import type { Logger } from 'pino';
import { engineFaultOf } from '../providers/temporal-errors.ts';

const AGAIN_AFTER_MS = 250;
const LOGGED_EVERY = 20;

export interface Waiting {
  logger: Logger;
  /** What the log says beside the reason. */
  fields?: Readonly<Record<string, unknown>>;
  /** Ends the wait. */
  stopping?: AbortSignal;
  /** Whether the same call may succeed later; by default, what says that the server cannot be reached. */
  passes?: (error: unknown) => boolean;
}

/**
 * Calls Temporal, and again every quarter of a second while it does not answer.
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
