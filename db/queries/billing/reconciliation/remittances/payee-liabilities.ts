// By the ledger alone, the trust never owes a payee less than zero: their shares of invoices, plus money restored from
// operating cash, less payments to them. A payee below zero has been paid someone else's money. Contract 3.4.
import { ACCOUNTS_OF_KIND, REMITTANCE_KINDS, type RemittanceKind } from '../../../../../domain/billing/remittance.ts';
import { isOfPayee } from '../../remittances/owed.ts';
import type { BookCheck } from '../check.ts';

const CENTS = 'l.account, l.credit_cents - l.debit_cents as cents';

/** The invoice lines that belong to a payee in `latest` who is paid by this kind. */
const invoiced = (kind: RemittanceKind) => `
  select latest.id, ${CENTS} from latest
    join ledger_lines l on l.org_id = :org and l.account in (${ACCOUNTS_OF_KIND[kind].join(', ')})
    join ledger_entries e on e.org_id = :org and e.id = l.entry_id and e.entry_type <> 'transfer'
    join invoices i on i.org_id = :org and i.id = e.invoice_id
    join policies p on p.org_id = :org and p.id = i.policy_id
    left join da_contracts d on d.org_id = :org and d.id = p.da_contract_id
    where latest.kind = '${kind}' and ${isOfPayee(kind, 'latest.payee')}`;

/** The lines that pay a payee, or make good for them. */
const settled = (sourceType: string, table: string) => `
  select latest.id, ${CENTS} from latest
    join ${table} s on s.org_id = :org and s.kind = latest.kind and s.payee = latest.payee
    join ledger_entries e on e.org_id = :org and e.source_type = '${sourceType}' and e.source_id = s.id
    join ledger_lines l on l.org_id = :org and l.entry_id = e.id and l.account in (2010, 2020, 2030, 2040, 2050, 2090)`;

/** A payee's finding is on their latest payment: a payee who was never paid owes nothing back. */
export const payeeLiabilities: BookCheck = {
  name: 'payee_liabilities',
  over: 'remittances',
  unit: 'cents',
  sql: `
with latest as (
  select page.id, page.kind, page.payee from page where page.status = 'paid' and not exists (
    select from remittances m where m.org_id = :org and m.kind = page.kind and m.payee = page.payee
      and m.status = 'paid' and m.id > page.id)
), lines as (
  ${[...REMITTANCE_KINDS.map(invoiced), settled('remittance', 'remittances'), settled('shortfall', 'trust_shortfalls')].join(' union all ')}
)
select id, account::text as part, 0::bigint as expected, least(sum(cents), 0)::bigint as actual
  from lines group by id, account`,
};
