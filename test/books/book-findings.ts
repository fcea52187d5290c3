// What reconciliation finds in an organization's books, and which insured each finding is about.
import { checkBooks } from '../../db/queries/billing/reconciliation/run.ts';
import { trustFigures } from '../../db/queries/billing/trust.ts';
import { trustFindings } from '../../domain/billing/ledger/trust.ts';
import type { Rows } from '../faults/bind.ts';
import type { Surroundings } from '../faults/dying-workers.ts';
import { COMMISSION_DAYS } from './commission-days.ts';

/** The insured that a finding is about, and the entry, if it is about one. */
const WHOSE = `
with it as (select id, policy_id, null::text as entry from invoices union all
  select id, policy_id, null from payments union all select id, id, null from policies union all
  select id, policy_id, concat_ws(' ', entry_type, source_type, source_id, invoice_id) from ledger_entries)
select insured_name as "insuredName", policy_id as "policyId", entry
from it join policies p on p.id = policy_id where it.id = $1`;

/** What reconciliation finds in settled books, and the days on which commission differs from the ledger. */
export async function bookFindings(
  { orm, rows }: Pick<Surroundings, 'orm'> & { rows: Pick<Rows, 'query'> },
  orgId: string,
): Promise<string[]> {
  const wrong = trustFindings(await orm.forOrg(orgId, trustFigures));
  const { results } = await orm.forOrg(orgId, (em) => checkBooks(em, { since: null, statementFrom: null }));
  const findings = results.flatMap((result) => result.findings);
  const shown = findings.map(async (finding) => {
    const [of] = await rows.query(WHOSE, [finding.entityId]);
    return JSON.stringify({ ...finding, of });
  });
  const misdated = await rows.query(`select * from (${COMMISSION_DAYS}) days where "orgId" = $1`, [orgId]);
  return [...[...wrong, ...misdated].map((what) => JSON.stringify(what)), ...(await Promise.all(shown))];
}
