// Commission was earned by the tier and the rates that its transaction was issued with, and the carrier has the rest.
// Contract 3.4 "Commission record".
import type { BookCheck } from '../check.ts';

export const commissionTerms: BookCheck = {
  name: 'commission_terms',
  over: 'commission_records',
  unit: 'count',
  sql: `
select page.id, part, expected, actual from page
  join invoices i on i.org_id = :org and i.id = page.invoice_id
  join policy_transactions t on t.org_id = :org and t.id = i.transaction_id and jsonb_typeof(t.commission) = 'object'
  cross join lateral (values
    ('tier', (t.commission ->> 'tier')::int, page.tier),
    ('rates', 1, case when page.rates ->> 'agentRate' = t.commission ->> 'agentRate'
      and page.rates ->> 'mgaRate' = t.commission ->> 'mgaRate' then 1 else 0 end)
  ) sides (part, expected, actual)`,
};

/** A record of a paid invoice; what an exchange or a return moved is the difference of two such amounts. */
export const commissionAmounts: BookCheck = {
  name: 'commission_amounts',
  over: 'commission_records',
  unit: 'cents',
  sql: `
select page.id, part, expected, actual from page
  cross join lateral (select
    round(gross_premium_cents * (rates ->> 'agentRate')::numeric)::bigint as agent,
    round(gross_premium_cents * (rates ->> 'mgaRate')::numeric)::bigint as mga) shares
  cross join lateral (values ('agent_commission', agent, agent_commission_cents),
    ('mga_commission', mga, mga_commission_cents),
    ('carrier_net', gross_premium_cents - agent - mga, carrier_net_cents)) sides (part, expected, actual)
  where page.type = 'earned' and page.source_type = 'invoice'`,
};
