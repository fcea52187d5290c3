// The filings made by paying them: tax reports, and stamping office fees. Decision 0237.
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { STAMPING_REPORT, TAX_REPORT } from '../../../domain/billing/remittance.ts';
import type { Remittance } from '../../entities/billing/remittance.ts';
import { Filing } from '../../entities/insight/filing.ts';
import { organizationOf } from '../../scope.ts';
import { OWED, PAID } from '../billing/invoices.ts';
import { bound } from '../named-values.ts';

/** What a kind of remittance to a state files, the account it is paid from, and the bill lines it is for. */
const REPORTS = {
  tax: { report: TAX_REPORT, account: 2040, line: '{"kind": "tax"}' },
  stamping: { report: STAMPING_REPORT, account: 2050, line: '{"kind": "tax", "code": "STAMPING_FEE"}' },
} as const;

/** Whether more money for filing `f` is still to come: from a bill unpaid, or paid but not yet shared out. */
const IS_MORE_TO_COME = `exists (select from invoices i
  where i.org_id = :org and i.policy_id = f.policy_id and i.lines @> cast(:lines as jsonb) and (${OWED}
    or (${PAID} and i.total_cents > 0 and not exists (select from ledger_entries e
      where e.org_id = :org and e.invoice_id = i.id and e.entry_type = 'split'))))`;

/** Whether the trust holds money for filing `f`: it has come in, and no paid remittance covers it. */
const IS_HELD = `exists (select from invoices i
  join ledger_entries e on e.org_id = :org and e.invoice_id = i.id and e.entry_type <> 'transfer'
  join ledger_lines l on l.org_id = :org and l.entry_id = e.id and l.account = :account and l.credit_cents > 0
  where i.org_id = :org and i.policy_id = f.policy_id and not exists (select from remittance_lines r
    join remittances m on m.org_id = :org and m.id = r.remittance_id and m.status = 'paid'
    where r.org_id = :org and r.line_id = l.id and not r.released))`;

/**
 * Reads and locks the open reports that a remittance to a state pays: the one it names, and each that it pays in full.
 * It pays one in full if it covers money of its policy, no more is to come or held, and the change that requires the
 * report was issued by the day through which it pays.
 */
export async function reportsPaidBy(
  em: EntityManager,
  kind: keyof typeof REPORTS,
  { id: remittanceId, payee: state, through, filingId }: Pick<Remittance, 'id' | 'payee' | 'through' | 'filingId'>,
): Promise<Filing[]> {
  const { report, account, line } = REPORTS[kind];
  const sql = `
select f.id from filings f
  join policy_transactions t on t.org_id = :org and t.id = f.transaction_id and t.issued_on <= cast(:through as date)
  where f.org_id = :org and f.kind = :report and f.status = 'open' and f.state = :state
    and f.policy_id in (select i.policy_id from remittance_lines r
      join invoices i on i.org_id = :org and i.id = r.invoice_id
      where r.org_id = :org and r.remittance_id = :remittanceId)
    and not ${IS_MORE_TO_COME} and not ${IS_HELD}`;
  const values = { org: organizationOf(em), remittanceId, state, through, report, account, lines: `[${line}]` };
  const whole = await em.execute<{ id: string }[]>(...bound(sql, values));
  const ids = [...whole.map(({ id }) => id), ...(filingId === null ? [] : [filingId])];
  const paid = { id: { $in: ids }, kind: report, status: 'open' } as const;
  return em.find(Filing, paid, { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } });
}
