// Parts tie out in the ledger: once a policy's invoices are settled, the trust holds what was written for each part.
// Money returned without a policy change leaves less, never more: a later return premium counts it. Contract 3.2.
import type { BookCheck } from '../check.ts';
import { isApart, isInMotion, isPaid, PART_OF_ACCOUNT, SHARE_ACCOUNTS } from '../sql.ts';
import { HAS_DECLINED_REFUND, HAS_OTHER_RETURNS, HAS_UNBILLED, PARTS_OF_POLICIES } from './parts.ts';

/** Every live invoice is paid and every return is complete. */
const IS_SETTLED = `not exists (
  select from invoices i where i.org_id = :org and i.policy_id = page.id and i.voided_at is null
    and not ${isApart('i')} and (not ${isPaid('i')} or ${isInMotion('i.id')} or exists (
      select from payments r where r.org_id = :org and r.invoice_id = i.id
        and r.status in ('pending_approval', 'pending'))))`;

export const policyLedger: BookCheck = {
  name: 'policy_ledger',
  over: 'policies',
  unit: 'cents',
  sql: `
with ${PARTS_OF_POLICIES}, settled as (
  select page.id, ${HAS_OTHER_RETURNS} as is_less from page
    where ${IS_SETTLED} and not ${HAS_UNBILLED} and not ${HAS_DECLINED_REFUND}
), held as (
  select settled.id, ${PART_OF_ACCOUNT} as part, l.credit_cents - l.debit_cents as cents
    from settled join invoices i on i.org_id = :org and i.policy_id = settled.id and not ${isApart('i')}
    join ledger_entries e on e.org_id = :org and e.invoice_id = i.id and e.entry_type not in ('transfer')
    join ledger_lines l on l.org_id = :org and l.entry_id = e.id and l.account in ${SHARE_ACCOUNTS}
), signed as (
  select id, part, cents as expected, 0 as actual from written join settled using (id)
  union all select id, part, 0, cents from held
)
select id, part, sum(expected)::bigint as expected, sum(actual)::bigint as actual
  from signed join settled using (id) where not is_less group by id, part
union all
select id, 'beyond_written', 0, greatest(sum(actual - expected), 0)::bigint
  from signed join settled using (id) where is_less group by id`,
};
