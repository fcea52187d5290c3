// npm run audit:verify [-- --org org_…]: verifies the hash chain over the audit log of every organization, or of one.
// Names the first row or seal that does not match, and the rows not yet sealed. Exits with 1 for a broken chain, with
// 2 if it could not verify. Runs against the platform of `npm start`, or the database at DATABASE_APP_URL and
// DATABASE_OPS_URL.
import './help/show-help.ts';
import { parseArgs } from 'node:util';
import { loadSupervisorConfig, type SupervisorConfig } from '../config.ts';
import { type ChainReport, verifyAudit } from '../db/audit/audit-verification.ts';
import { auditedOrganizations } from '../db/queries/platform/audit-chain.ts';
import { PLATFORM_SCOPE } from '../db/scope.ts';
import { organizationIdFrom } from '../domain/ids.ts';
import { environmentOfRunning } from './env-file.ts';
import { connectForOperator } from './ops/database.ts';

try {
  const { values } = parseArgs({ options: { org: { type: 'string' } } });
  const isWhole = await verify(loadSupervisorConfig(environmentOfRunning()), values.org);
  process.exitCode = isWhole ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

async function verify(config: SupervisorConfig, scopeText: string | undefined): Promise<boolean> {
  const only = scopeText === undefined ? null : scopeOf(scopeText);
  const database = await connectForOperator(config);
  try {
    const orgIds = only ? [only] : await database.acrossOrgs('verifying the audit', auditedOrganizations);
    let broken = 0;
    for (const orgId of orgIds) {
      const report = await verifyAudit(database, orgId);
      console.log(lineOf(report));
      if (report.fault) broken += 1;
    }
    console.log(broken === 0 ? `${orgIds.length} chains fit` : `${broken} of ${orgIds.length} chains are broken`);
    return broken === 0;
  } finally {
    await database.close();
  }
}

/** The installation itself has an audit log too. */
function scopeOf(scopeText: string): string {
  const orgId = scopeText === PLATFORM_SCOPE ? scopeText : organizationIdFrom(scopeText);
  if (orgId === null)
    throw new Error(`"${scopeText}" is no organization: write --org org_… or --org ${PLATFORM_SCOPE}`);
  return orgId;
}

function lineOf({ orgId, seals, entries, head, unsealed, fault }: ChainReport): string {
  const tail = `${unsealed.count} rows not sealed yet${unsealed.oldestAt ? `, the oldest of ${unsealed.oldestAt.toISOString()}` : ''}`;
  const extent = `${seals} seals over ${entries} rows`;
  if (fault === null) {
    const end = head ? `, the last is ${head.sequence} ${head.hash}` : '';
    return `${orgId}: fits, ${extent}${end}; ${tail}`;
  }
  const place = 'entryId' in fault.where ? fault.where.entryId : `seal ${fault.where.sequence}`;
  return `${orgId}: BROKEN at ${place}: ${fault.reason}; ${extent} fit before it; ${tail}`;
}
