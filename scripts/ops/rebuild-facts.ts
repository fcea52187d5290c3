// Rebuilds the analytics sums from the rows. docs/operations.md "Sums of analytics".
import type { SupervisorConfig } from '../../config.ts';
import { rebuildSums } from '../../db/facts/rebuild-sums.ts';
import type { Database } from '../../db/orm.ts';
import { organizationIdFrom } from '../../domain/ids.ts';
import { connectForOperator } from './database.ts';

/**
 * Rebuilds one organization, or each in turn: one that fails does not hold up the others.
 * @throws Error for anything but an organization id, and at the end for organizations whose sums could not be built
 */
export async function rebuildFacts(config: SupervisorConfig, org: string | undefined): Promise<void> {
  const orgId = org === undefined ? null : organizationIdFrom(org);
  if (org !== undefined && orgId === null) throw new Error(`"${org}" is no organization: write org_…`);
  const database = await connectForOperator(config);
  try {
    const failed: string[] = [];
    for (const id of orgId === null ? await allOf(database) : [orgId]) {
      if (!(await isRebuilt(database, id))) failed.push(id);
    }
    if (failed.length > 0) throw new Error(`Not built, try again with --org: ${failed.join(', ')}`);
  } finally {
    await database.close();
  }
}

async function allOf(database: Database): Promise<string[]> {
  const rows = await database.acrossOrgs('building the sums of analytics', (em) =>
    em.execute<{ id: string }[]>('select id from organizations order by id'),
  );
  return rows.map(({ id }) => id);
}

async function isRebuilt(database: Database, id: string): Promise<boolean> {
  try {
    await rebuildSums(database, id);
    console.log(`${id}: built from the rows`);
    return true;
  } catch (error) {
    console.error(`${id}: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}
