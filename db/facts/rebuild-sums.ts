// Builds all sums of an organization again from its rows, beside workers that bring them up to date. Decision 0140.
import { setTimeout as delay } from 'node:timers/promises';
import { isContention } from '../faults.ts';
import type { Database } from '../orm.ts';
import { rebuildPortfolio } from './fold-portfolio.ts';
import { rebuildMergedFacts } from './merged-facts.ts';

const TRIES = 5;
const PAUSE_MS = 2_000;

/**
 * Builds the sums again; tries again where another process is at work on them or has come in between.
 * @throws Error when another process still is at work on them after the last try
 */
export async function rebuildSums(database: Database, orgId: string, pauseMs = PAUSE_MS): Promise<void> {
  for (let tries = 1; !(await isRebuilt(database, orgId)); tries += 1) {
    if (tries === TRIES) throw new Error('A worker is at work on the sums.');
    await delay(pauseMs);
  }
}

async function isRebuilt(database: Database, orgId: string): Promise<boolean> {
  try {
    return (await rebuildMergedFacts(database, orgId)) && (await rebuildPortfolio(database, orgId));
  } catch (error) {
    if (!isContention(error)) throw error;
    return false;
  }
}
