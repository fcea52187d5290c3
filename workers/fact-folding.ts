/**
 * Brings the daily analytics sums up to date, for as long as the process runs, if an organization has many rows not in
 * them, or one that has waited a day. No one waits for it, because analytics themselves add rows not in the sums.
 * Every worker process does this; the one holding an organization's lock works on it and the others move on. Decision
 * 0140.
 */
import type { Logger } from 'pino';
import { foldPortfolio } from '../db/facts/fold-portfolio.ts';
import { mergeFacts } from '../db/facts/merged-facts.ts';
import { isUnavailable } from '../db/faults.ts';
import type { Database } from '../db/orm.ts';
import { isPortfolioBuilt, organizationsToFold, organizationToBuild } from '../db/queries/insight/portfolio-changes.ts';
import { type Repeating, startRepeating } from './repeating.ts';

const PAUSE_MS = 30_000;
/** Rows that analytics add themselves: a few milliseconds' work. */
const MOST_ROWS = 500;
const LONGEST_HOURS = 24;
const LONGEST_REST_MS = 3_600_000;

export interface FactFoldingOptions {
  database: Database;
  logger: Logger;
  pauseMs?: number;
  mostRows?: number;
}

/** Organizations whose sums failed, and when to retry them. */
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

/** Those that are behind, and one of those without sums. */
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

/** An organization whose sums fail holds up no other, and is retried less and less often. */
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
