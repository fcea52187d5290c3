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
import { isPortfolioBuilt, organizationsToFold, organizationToBuild } from '../db/queries/insight/portfolio-changes.ts';
import { type Repeating, startRepeating } from './repeating.ts';

const PAUSE_MS = 30_000;
/** Rows that analytics add by themselves: some milliseconds. */
const MOST_ROWS = 500;
const LONGEST_HOURS = 24;
const LONGEST_REST_MS = 3_600_000;

export interface FactFoldingOptions {
  database: Database;
  logger: Logger;
  pauseMs?: number;
  mostRows?: number;
}

/** Organizations whose sums failed, and until when they are left alone. */
type Resting = Map<string, { pauseMs: number; untilMs: number }>;

/** Starts folding. While the database is down, tries again after the pause. */
export function startFactFolding(options: FactFoldingOptions): Repeating {
  const { logger, pauseMs = PAUSE_MS } = options;
  const resting: Resting = new Map();
  return startRepeating({
    round: () => foldAll(options, resting),
    pauseMs,
    onFault: (error) =>
      logger.warn({ err: error }, 'the sums of analytics could not be brought up to date; tried again'),
  });
}

/** Those that are behind, and one of those that have no sums yet. */
async function foldAll(options: FactFoldingOptions, resting: Resting): Promise<boolean> {
  const { database, mostRows = MOST_ROWS } = options;
  const left = [...resting].flatMap(([orgId, { untilMs }]) => (performance.now() < untilMs ? [orgId] : []));
  const [waiting, unbuilt] = await database.acrossOrgs('finding sums that are behind their rows', async (em) => [
    await organizationsToFold(em, { mostRows, longestHours: LONGEST_HOURS }),
    await organizationToBuild(em, left),
  ]);
  const all = new Set([...waiting, ...(unbuilt === null ? [] : [unbuilt])]);
  let isMoreLikely = false;
  for (const orgId of all) {
    if (left.includes(orgId)) continue;
    isMoreLikely = (await fold(orgId, options, resting)) || isMoreLikely;
  }
  return isMoreLikely || (unbuilt !== null && (await database.forOrg(unbuilt, isPortfolioBuilt)));
}

/** One organization whose sums fail does not hold up the others, and is tried less and less often. */
async function fold(orgId: string, { database, logger }: FactFoldingOptions, resting: Resting): Promise<boolean> {
  try {
    await mergeFacts(database, orgId);
    const isMoreLeft = await foldPortfolio(database, orgId);
    resting.delete(orgId);
    return isMoreLeft;
  } catch (error) {
    const pauseMs = Math.min(LONGEST_REST_MS, 2 * (resting.get(orgId)?.pauseMs ?? PAUSE_MS));
    resting.set(orgId, { pauseMs, untilMs: performance.now() + pauseMs });
    if (isUnavailable(error)) throw error;
    logger.warn({ orgId, pauseMs, err: error }, 'the sums of an organization could not be brought up to date');
    return false;
  }
}
