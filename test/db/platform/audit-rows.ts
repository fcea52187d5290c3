// Audit rows, seals and a tampering owner, for the tests of the chain.
import pg from 'pg';
import { sealAudit } from '../../../db/audit/audit-seal.ts';
import type { Database } from '../../../db/orm.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { silentLogger } from '../../support/logger.ts';

/** The real time of every seal in these tests. */
export const SEALED_AT_MS = 1_800_000_000_123;

/** An audit row about the nth entity, with values that could easily be written in two ways. */
export const fact = (n: number) => ({
  actor: { kind: 'user', id: 'usr_test', role: 'underwriter' },
  action: 'submission:quote',
  entityType: 'submission',
  entityId: `sub_${n}`,
  changes: { n: { before: null, after: n }, 'größe "1"': { before: 1.5, after: [true, null] } },
});

/** Writes each row in its own transaction and returns their ids. */
export async function writeRows(database: Database, orgId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    ids.push(await database.transaction(orgId, async (em) => writeAudit(em, fact(n)).id));
  }
  return ids;
}

/** One round of sealing. */
export const seal = (database: Database, limit = 100) =>
  sealAudit(database, { limit, now: () => SEALED_AT_MS, logger: silentLogger });

/** Runs statements as the owner, outside row-level security; by default with triggers disabled. */
export async function asOwner(ownerUrl: string, sql: string, withoutTriggers = true): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    if (withoutTriggers) await client.query('set session_replication_role = replica');
    await client.query(sql);
  } finally {
    await client.end();
  }
}
