// Rebuilds all sums of an organization from its rows, alongside workers that update them. Decision 0140.
import { setTimeout as delay } from 'node:timers/promises';
import { isContention } from '../faults.ts';
import type { Database } from '../orm.ts';
import { rebuildPortfolio } from './fold-portfolio.ts';
import { rebuildMergedFacts } from './merged-facts.ts';

const TRIES = 5;
const PAUSE_MS = 2_000;

/**
 * Rebuilds the sums; retries if another process is working on them or got in between.
 * @throws Error if another process is still working on them after the last try
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
