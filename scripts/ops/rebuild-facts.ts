// Builds the sums of analytics again from the rows. docs/operations.md "Sums of analytics".
import type { SupervisorConfig } from '../../config.ts';
import { rebuildPortfolio } from '../../db/facts/fold-portfolio.ts';
import { rebuildMergedFacts } from '../../db/facts/merged-facts.ts';
import { organizationIdFrom } from '../../domain/ids.ts';
import { connectForOperator } from './database.ts';

/** Rebuilds one organization, or each in turn. @throws Error for what is no id of an organization */
export async function rebuildFacts(config: SupervisorConfig, org: string | undefined): Promise<void> {
  const orgId = org === undefined ? null : organizationIdFrom(org);
  if (org !== undefined && orgId === null) throw new Error(`"${org}" is no organization: write org_…`);
  const database = await connectForOperator(config);
  try {
    const all = () =>
      database.acrossOrgs('building the sums of analytics', (em) =>
        em.execute<{ id: string }[]>('select id from organizations order by id'),
      );
    for (const id of orgId === null ? (await all()).map((row) => row.id) : [orgId]) {
      await rebuildMergedFacts(database, id);
      const isDone = await rebuildPortfolio(database, id);
      console.log(`${id}: ${isDone ? 'built from the rows' : 'a worker is at work on its sums, try again'}`);
    }
  } finally {
    await database.close();
  }
}
