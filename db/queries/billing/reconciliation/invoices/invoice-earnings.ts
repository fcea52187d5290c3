// Our earnings on an invoice in the general ledger match our part of it in the trust: commission, fees, and the claim
// on the trust for both.
import type { BookCheck } from '../check.ts';
import { ENTRIES_OF_INVOICES, isInMotion } from '../sql.ts';

export const invoiceEarnings: BookCheck = {
  name: 'invoice_earnings',
  over: 'invoices',
  unit: 'cents',
  sql: `
with ${ENTRIES_OF_INVOICES}, held as (
  select invoice_id as id, coalesce(-sum(debit) filter (where account = 2030), 0) as commission,
      coalesce(-sum(debit) filter (where account = 2090), 0) as fees,
      coalesce(-sum(debit) filter (where account = 4010), 0) as commission_income,
      coalesce(-sum(debit) filter (where account = 4020), 0) as fee_income,
      coalesce(sum(debit) filter (where account = 1120), 0) as due
    from lines group by invoice_id
)
select id, part, expected::bigint, actual::bigint from held
  cross join lateral (values ('4010', commission, commission_income), ('4020', fees, fee_income),
    ('1120', commission + fees, due)) sides (part, expected, actual)
  where not ${isInMotion('held.id')}`,
};
