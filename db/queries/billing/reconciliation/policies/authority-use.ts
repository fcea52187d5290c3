// The used delegated authority is the written premium of the policies that use it.
import type { BookCheck } from '../check.ts';

/** Checked with the first policy of each contract and year. */
export const authorityUse: BookCheck = {
  name: 'authority_use',
  over: 'policies',
  unit: 'cents',
  sql: `
with contracts as (
  select da_contract_id, da_year, min(id) as id from page where da_contract_id is not null group by 1, 2
), first as (
  select contracts.* from contracts where not exists (
    select from policies p where p.org_id = :org and p.da_contract_id = contracts.da_contract_id
      and p.da_year = contracts.da_year and p.id < contracts.id)
)
select first.id, first.da_contract_id || '/' || first.da_year as part, written.cents as expected,
    coalesce(u.used_cents, 0) as actual
  from first
  cross join lateral (select sum(gross_premium_cents)::bigint as cents from policies p where p.org_id = :org
    and p.da_contract_id = first.da_contract_id and p.da_year = first.da_year) written
  left join da_usage u on u.org_id = :org and u.contract_id = first.da_contract_id and u.year = first.da_year`,
};
