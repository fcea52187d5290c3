// Commission was earned at the tier and rates that its transaction was issued with, and the carrier has the rest.
// Contract 3.4 "Commission record".
import type { BookCheck } from '../check.ts';

const HAS_RATES = `(page.rates ->> 'agentRate' = t.commission ->> 'agentRate'
  and page.rates ->> 'mgaRate' = t.commission ->> 'mgaRate')`;
const HAS_TERMS = `(page.tier = (t.commission ->> 'tier')::int and ${HAS_RATES})`;

/**
 * A record caused by neither the invoice nor a transaction moves what they earned, at the terms of any that has a
 * record there.
 */
export const commissionTermsCheck: BookCheck = {
  name: 'commission_terms',
  over: 'commission_records',
  unit: 'count',
  sql: `
select page.id, part, expected, actual from page
  join invoices i on i.org_id = :org and i.id = page.invoice_id
  cross join lateral (select t.commission from policy_transactions t
    where t.org_id = :org and t.policy_id = i.policy_id and jsonb_typeof(t.commission) = 'object' and case page.source_type
      when 'invoice' then t.id = i.transaction_id
      when 'transaction' then t.id = page.source_id
      else t.id = i.transaction_id or exists (select from commission_records c
        where c.org_id = :org and c.invoice_id = i.id and (c.source_type, split_part(c.source_id, '/', 1))
          in (('transaction', t.id), ('exchange', t.id))) end
    order by ${HAS_TERMS} desc limit 1) t
  cross join lateral (values
    ('tier', (t.commission ->> 'tier')::int, page.tier),
    ('rates', 1, case when ${HAS_RATES} then 1 else 0 end)
  ) sides (part, expected, actual)`,
};

/** Only records that earn; an exchange or a return moves the difference between two such amounts. */
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
  where page.type = 'earned' and page.source_type in ('invoice', 'transaction')`,
};
