// Parts tie out in the invoices: what a policy's live invoices bill for each part, less what policy changes returned,
// equals what was written. Contract 3.2.
import type { BookCheck } from '../check.ts';
import {
  HAS_BECOME_CHEAPER,
  HAS_DECLINED_REFUND,
  HAS_OTHER_RETURNS,
  HAS_UNBILLED,
  PARTS_OF_POLICIES,
} from './parts.ts';

/** If a void invoice is still to be rebilled, no more than the amount due is billed. */
export const policyBilled: BookCheck = {
  name: 'policy_billed',
  over: 'policies',
  unit: 'cents',
  sql: `
with ${PARTS_OF_POLICIES}, signed as (
  select id, part, cents as expected, 0 as actual from written
  union all select id, part, 0, cents from billed
  union all select id, part, 0, -cents from back
), judged as (
  select page.id, ${HAS_UNBILLED} as is_unbilled from page
    where not ${HAS_DECLINED_REFUND} and not (${HAS_OTHER_RETURNS} and ${HAS_BECOME_CHEAPER})
)
select id, part, sum(expected)::bigint as expected, sum(actual)::bigint as actual
  from signed join judged using (id) where not is_unbilled group by id, part
union all
select id, 'beyond_due', 0, greatest(sum(actual - expected), 0)::bigint
  from signed join judged using (id) where is_unbilled group by id`,
};
