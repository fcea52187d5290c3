/**
 * Seals the audit every few seconds for as long as the process runs. Every worker process does so: they share the work, because whoever
 * holds the lock of a chain lengthens it and the others pass it by.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { sealAudit } from '../activities/audit-seal.ts';
import type { Database } from '../db/orm.ts';

const PAUSE_MS = 5_000;
/** Rows of a seal at most: a transaction of a few tens of milliseconds. */
const ROWS_OF_A_SEAL = 500;

export interface AuditSealing {
  /** Ends after the seal that is being made. */
  stop: () => Promise<void>;
}

export interface AuditSealingOptions {
  database: Database;
  logger: Logger;
  now: () => number;
  pauseMs?: number;
}

/** Starts sealing. A database that is away is asked again after the pause. */
export function startAuditSealing(options: AuditSealingOptions): AuditSealing {
  const stopping = new AbortController();
  const running = keepSealing(options, stopping.signal);
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

async function keepSealing(options: AuditSealingOptions, stopping: AbortSignal): Promise<void> {
  const { database, logger, now, pauseMs = PAUSE_MS } = options;
  while (!stopping.aborted) {
    const isMoreLikely = await sealAudit(database, { limit: ROWS_OF_A_SEAL, now, logger }).then(
      (round) => round.isMoreLikely,
      (error: unknown) => {
        logger.warn({ err: error }, 'the audit could not be sealed; tried again');
        return false;
      },
    );
    if (!isMoreLikely) await delay(pauseMs, undefined, { signal: stopping }).catch(() => {});
  }
}
