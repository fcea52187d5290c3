// Many policies cloned from one that was bound through the platform, each with its transaction and one invoice.
import { cloneId, cloneRow } from '../clone-rows.ts';
import type { Organization, Setting } from '../setting.ts';
import { bind, quotedSubmissions } from '../submissions.ts';

export interface ClonedPolicies {
  /** Number of policies in the end, including the first. */
  count: number;
  /** A digit in the ids, so that two organizations have different ones. */
  series: number;
  /** SQL for copy `i`'s date in a column. */
  day: (column: string) => string;
}

/** Copies one bound policy across lines, states and premiums. */
export async function clonePolicies(
  setting: Setting,
  organization: Organization,
  { count, series, day }: ClonedPolicies,
): Promise<void> {
  const { owner } = setting;
  const [quoted] = await quotedSubmissions(setting, organization, 1);
  if (!quoted) throw new Error('No submission was quoted');
  const { policyId } = await bind(setting, await organization.authorization(), quoted.submissionId);
  const idOf = async (table: string, column: string, value: string) =>
    String((await owner.query(`select id from ${table} where ${column} = $1 limit 1`, [value])).rows[0]?.id);
  const transactionId = await idOf('policy_transactions', 'policy_id', policyId);
  const invoiceId = await idOf('invoices', 'policy_id', policyId);
  const sources = { submissions: quoted.submissionId, quotes: quoted.quoteId, policies: policyId, invoices: invoiceId };
  const all = { ...sources, policy_transactions: transactionId, transaction_billings: transactionId };
  // The rows are copies of some that satisfy every constraint; checking millions again would take minutes.
  await owner.query("set session_replication_role = 'replica'");
  for (const [table, columns] of Object.entries(columnsOf(series, day))) {
    const key = table === 'transaction_billings' ? 'transaction_id' : 'id';
    const sourceId = all[table as keyof typeof all];
    await cloneRow(owner, { table, sourceId, key, count: count - 1, columns });
  }
  await owner.query("set session_replication_role = 'origin'");
  for (const table of Object.keys(all)) await owner.query(`vacuum analyze ${table}`);
}

/** The columns that differ between copies, by table. */
function columnsOf(series: number, dayOf: ClonedPolicies['day']): Record<string, Record<string, string>> {
  const idOf = (prefix: string) => cloneId(prefix, series);
  const day = (column: string) => ({ [column]: dayOf(column) });
  const more = (column: string) => ({ [column]: `source.${column} + i % 100003` });
  const place = {
    line_of_business: `(array['GL','CA','CP','BOP'])[1 + i % 4]`,
    state: `(array['TX','FL','CA','NY','IL','GA','OH'])[1 + i % 7]`,
  };
  const policy = { policy_id: idOf('pol') };
  const origin = { submission_id: idOf('sub'), quote_id: idOf('quo') };
  return {
    submissions: { id: idOf('sub'), quote_id: idOf('quo'), ...policy, ...place },
    quotes: { id: idOf('quo'), submission_id: idOf('sub'), ...day('issued_on'), ...day('expires_on') },
    policies: {
      ...{ id: idOf('pol'), policy_number: `'SUM-${series}-' || i`, ...origin, ...place },
      ...{ ...day('effective_date'), ...day('expiration_date') },
    },
    policy_transactions: {
      ...{ id: idOf('ptx'), ...policy, ...day('issued_on'), ...day('effective_date') },
      ...{ ...more('premium_change_cents'), ...more('total_change_cents') },
    },
    transaction_billings: { transaction_id: idOf('ptx'), ...day('booked_on') },
    invoices: {
      ...{ id: idOf('inv'), ...policy, transaction_id: idOf('ptx'), invoice_number: `'SUM-' || i` },
      ...{ ...day('due_date'), ...more('total_cents') },
    },
  };
}
