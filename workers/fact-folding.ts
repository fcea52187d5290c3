/**
 * Brings the daily sums of analytics up to their rows, for as long as the process runs: those of an organization with
 * many rows that are not in them, or with one that has waited for a day. Nobody waits for it, because analytics add
 * themselves what is not in the sums. Every worker process does so; the one that holds an organization's lock is at
 * work on it and the others go on. Decision 0140.
 */
import type { Logger } from 'pino';
import { foldPortfolio } from '../db/facts/fold-portfolio.ts';
import { mergeFacts } from '../db/facts/merged-facts.ts';
import { isUnavailable } from '../db/faults.ts';
import type { Database } from '../db/orm.ts';
import { organizationsToFold } from '../db/queries/insight/portfolio-changes.ts';
import { type Repeating, startRepeating } from './repeating.ts';

const PAUSE_MS = 30_000;
/** Rows that analytics add by themselves: some milliseconds. */
const MOST_ROWS = 500;
const LONGEST_HOURS = 24;

export interface FactFoldingOptions {
  database: Database;
  logger: Logger;
  pauseMs?: number;
  mostRows?: number;
}

/** Starts folding. While the database is down, tries again after the pause. */
export function startFactFolding(options: FactFoldingOptions): Repeating {
  const { database, logger, pauseMs = PAUSE_MS, mostRows = MOST_ROWS } = options;
  return startRepeating({
    round: async () => {
      const bound = { mostRows, longestHours: LONGEST_HOURS };
      const waiting = await database.acrossOrgs('finding sums that are behind their rows', (em) =>
        organizationsToFold(em, bound),
      );
      let isMoreLikely = false;
      for (const orgId of waiting) isMoreLikely = (await fold(orgId, options)) || isMoreLikely;
      return isMoreLikely;
    },
    pauseMs,
    onFault: (error) =>
      logger.warn({ err: error }, 'the sums of analytics could not be brought up to date; tried again'),
  });
}

/** One organization whose sums fail does not hold up the others. */
async function fold(orgId: string, { database, logger }: FactFoldingOptions): Promise<boolean> {
  try {
    await mergeFacts(database, orgId);
    return await foldPortfolio(database, orgId);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    logger.warn({ orgId, err: error }, 'the sums of an organization could not be brought up to date');
    return false;
  }
}
