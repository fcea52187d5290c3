// Claim money: payments, recoveries and deposits are in the ledger as their rows say, account by account. The claims
// fund is account 1020, what carriers owe it is 1200, and the carrier money we hold is 2080. Domain facts 4.2.
import type { BookCheck } from '../check.ts';

/**
 * What a row's entries have posted to an account, debits less credits. Further entries of a type append a colon and a
 * suffix to the row's id.
 */
const postedTo = (account: number, sourceType: string) => `coalesce((
  select sum(l.debit_cents - l.credit_cents) from ledger_entries e
    join ledger_lines l on l.org_id = :org and l.entry_id = e.id
    where e.org_id = :org and e.source_type = '${sourceType}' and l.account = ${account}
      and (e.source_id = page.id or e.source_id > page.id || ':' and e.source_id < page.id || ';')
  ), 0)::bigint`;

/** A payment leaves the fund when it is paid; any shortfall stays requested unless it was withdrawn. */
export const claimPaymentEntries: BookCheck = {
  name: 'claim_payment_entries',
  over: 'claim_payments',
  unit: 'cents',
  sql: `
select page.id, sides.part, sides.expected, sides.actual from page
cross join lateral (select case when page.status = 'paid' then page.amount_cents else 0 end as cents) left_fund
cross join lateral (values
  ('1020', -left_fund.cents, ${postedTo(1020, 'claim_payment')}),
  ('1200', page.requested_cents, ${postedTo(1200, 'claim_payment')}),
  ('2080', left_fund.cents - page.requested_cents, ${postedTo(2080, 'claim_payment')})) sides (part, expected, actual)`,
};

export const claimRecoveryEntries: BookCheck = {
  name: 'claim_recovery_entries',
  over: 'claim_recoveries',
  unit: 'cents',
  sql: `
select page.id, sides.part, sides.expected, sides.actual from page
cross join lateral (values
  ('1020', page.amount_cents, ${postedTo(1020, 'claim_recovery')}),
  ('2080', -page.amount_cents, ${postedTo(2080, 'claim_recovery')})) sides (part, expected, actual)`,
};

/** A deposit first settles what was requested, so its credits fall on two accounts. */
export const lossFundEntries: BookCheck = {
  name: 'loss_fund_entries',
  over: 'loss_fund_deposits',
  unit: 'cents',
  sql: `
select page.id, sides.part, sides.expected, sides.actual from page
cross join lateral (values
  ('1020', page.amount_cents, ${postedTo(1020, 'loss_fund_deposit')}),
  ('1200 + 2080', -page.amount_cents,
    ${postedTo(1200, 'loss_fund_deposit')} + ${postedTo(2080, 'loss_fund_deposit')})) sides (part, expected, actual)`,
};
