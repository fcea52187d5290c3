/**
 * Removes expired rows, every minute for as long as the process runs: stored responses for repeated requests, one-time
 * codes, attempt counters, old delivery log entries, device requests and notices from earlier days, and the
 * particulars of an FNOL that led to no claim. Nothing else depends on it: readers of such rows check the time
 * themselves. Every worker process does this and skips rows that another is removing.
 */
import type { Logger } from 'pino';
import type { Database } from '../db/orm.ts';
import { forgetUnclaimed } from '../db/queries/claim/claim-words.ts';
import { forgetDeliveries } from '../db/queries/delivery/deliveries.ts';
import { purgeKeys } from '../db/queries/platform/idempotency.ts';
import { forgetExpired } from '../db/queries/platform/kv.ts';
import { forgetRequests } from '../db/queries/platform/requests.ts';
import { forgetNotices } from '../db/queries/portal/push-notices.ts';
import { PLATFORM_SCOPE } from '../db/scope.ts';
import { type Repeating, startRepeating } from './repeating.ts';

const PAUSE_MS = 60_000;
/** Maximum rows per round, so that no round holds its locks for long. */
const ROWS_OF_A_ROUND = 1_000;
/** A first notice can be repeated under its Idempotency-Key for a day; after that it no longer leads to a claim. */
const NOTICE_MS = 2 * 86_400_000;

export interface HousekeepingOptions {
  database: Database;
  logger: Logger;
  /** Milliseconds since 1970. */
  now: () => number;
  pauseMs?: number;
  rowsOfARound?: number;
}

/** Starts removing. While the database is down, tries again after the pause. */
export function startHousekeeping(options: HousekeepingOptions): Repeating {
  const { database, logger, now, pauseMs = PAUSE_MS, rowsOfARound = ROWS_OF_A_ROUND } = options;
  return startRepeating({
    round: async () => {
      const keys = await database.acrossOrgs('removing expired idempotency keys', (em) =>
        purgeKeys(em, now(), rowsOfARound),
      );
      const deliveries = await database.acrossOrgs('removing old deliveries', (em) =>
        forgetDeliveries(em, now(), rowsOfARound),
      );
      const requests = await database.acrossOrgs('removing old requests', (em) =>
        forgetRequests(em, now(), rowsOfARound),
      );
      const pushes = await database.acrossOrgs('removing old notices of devices', (em) =>
        forgetNotices(em, now(), rowsOfARound),
      );
      const values = await database.forOrg(PLATFORM_SCOPE, (em) => forgetExpired(em, rowsOfARound));
      const notices = await database.acrossOrgs('removing what no claim has come of', (em) =>
        forgetUnclaimed(em, now() - NOTICE_MS, rowsOfARound),
      );
      return Math.max(keys, deliveries, requests, pushes, values, notices) >= rowsOfARound;
    },
    pauseMs,
    onFault: (error) => logger.warn({ err: error }, 'what has expired could not be removed; tried again'),
  });
}
