// The commission records of an invoice are its shares in the trust; an invoice without a producer has none. Contract
// 3.4.
import type { BookCheck } from '../check.ts';
import { ENTRIES_OF_INVOICES, isInMotion } from '../sql.ts';

export const invoiceCommission: BookCheck = {
  name: 'invoice_commission',
  over: 'invoices',
  unit: 'cents',
  sql: `
with ${ENTRIES_OF_INVOICES}, held as (
  select invoice_id as id, -sum(debit) filter (where account = 2010) as carrier,
      -sum(debit) filter (where account = 2020) as agent, -sum(debit) filter (where account = 2030) as mga
    from lines group by invoice_id
)
select page.id, part, coalesce(expected, 0)::bigint as expected, coalesce(actual, 0)::bigint as actual
  from page left join held using (id)
  cross join lateral (select sum(gross_premium_cents) as gross, sum(carrier_net_cents) as carrier,
      sum(agent_commission_cents) as agent, sum(mga_commission_cents) as mga
    from commission_records c where c.org_id = :org and c.invoice_id = page.id) recorded
  cross join lateral (values
    ('carrier_net', case when page.producer_id is null then 0 else held.carrier end, recorded.carrier),
    ('agent_commission', case when page.producer_id is null then 0 else held.agent end, recorded.agent),
    ('mga_commission', case when page.producer_id is null then 0 else held.mga end, recorded.mga),
    ('gross_premium', recorded.carrier + recorded.agent + recorded.mga, recorded.gross)
  ) sides (part, expected, actual)
  where not ${isInMotion('page.id')}`,
};
