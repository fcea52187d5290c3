/**
 * Removes what has expired, every minute for as long as the process runs: kept answers of repeated requests, one-time
 * codes, attempt counters. Nothing depends on it but room: who reads such a row looks at its time himself. Every worker
 * process does so; rows that another one is removing are passed by.
 */
import type { Logger } from 'pino';
import type { Database } from '../db/orm.ts';
import { purgeKeys } from '../db/queries/platform/idempotency.ts';
import { forgetExpired } from '../db/queries/platform/kv.ts';
import { PLATFORM_SCOPE } from '../db/scope.ts';
import { type Repeating, startRepeating } from './repeating.ts';

const PAUSE_MS = 60_000;
/** Rows of a round at most, so that none holds its locks for long. */
const ROWS_OF_A_ROUND = 1_000;

export interface HousekeepingOptions {
  database: Database;
  logger: Logger;
  /** Milliseconds since 1970. */
  now: () => number;
  pauseMs?: number;
  rowsOfARound?: number;
}

/** Starts removing. A database that is away is asked again after the pause. */
export function startHousekeeping(options: HousekeepingOptions): Repeating {
  const { database, logger, now, pauseMs = PAUSE_MS, rowsOfARound = ROWS_OF_A_ROUND } = options;
  return startRepeating({
    round: async () => {
      const keys = await database.acrossOrgs('removing expired idempotency keys', (em) =>
        purgeKeys(em, now(), rowsOfARound),
      );
      const values = await database.forOrg(PLATFORM_SCOPE, (em) => forgetExpired(em, rowsOfARound));
      return Math.max(keys, values) >= rowsOfARound;
    },
    pauseMs,
    onFault: (error) => logger.warn({ err: error }, 'what has expired could not be removed; tried again'),
  });
}
