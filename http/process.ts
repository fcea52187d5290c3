// Stopping a process: once, in order, and within a time limit.
import type { Logger } from 'pino';

/**
 * Covers the grace period of the HTTP server and what follows. A supervisor that waits less kills the process, which is
 * also safe.
 */
const STOP_WITHIN_MS = 20_000;

/** Stops on SIGTERM and SIGINT. A second signal while stopping changes nothing. */
export function runUntilStopped(logger: Logger, stop: () => Promise<void>): void {
  let stopping = false;
  const begin = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    const late = setTimeout(() => end(1), STOP_WITHIN_MS);
    stop().then(
      () => end(0),
      (error: unknown) => {
        logger.error({ err: error }, 'the stop failed');
        end(1);
      },
    );
    late.unref();
  };
  const end = (code: number) => {
    logger.info('stopped');
    logger.flush(() => process.exit(code));
  };
  process.on('SIGTERM', begin);
  process.on('SIGINT', begin);
}
