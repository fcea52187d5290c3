// Payments out of the trust match the ledger: each remittance covers ledger lines that total its amount, and is posted
// when it is approved, not before. The same goes for what a payee owes back. Contract 3.4.
import type { BookCheck } from '../check.ts';

/** The balance that the entries of a row in `page` leave on accounts, debits less credits. */
const posted = (sourceType: string, accounts: string) => `coalesce((
  select sum(l.debit_cents - l.credit_cents) from ledger_entries e
    join ledger_lines l on l.org_id = :org and l.entry_id = e.id and l.account in (${accounts})
    where e.org_id = :org and e.source_type = '${sourceType}' and e.source_id = page.id), 0)::bigint`;

export const remittanceEntryCheck: BookCheck = {
  name: 'remittance_entries',
  over: 'remittances',
  unit: 'cents',
  sql: `
select page.id, sides.part, sides.expected, sides.actual from page
cross join lateral (select case when page.status = 'paid' then 1 else 0 end as times) paid
cross join lateral (values
  ('1010', -paid.times * page.cash_cents, ${posted('remittance', '1010')}),
  ('owed', paid.times * (page.amount_cents + page.netted_cents),
    ${posted('remittance', '2010, 2020, 2030, 2040, 2050, 2090')}),
  ('netted', -paid.times * page.netted_cents,
    ${posted('remittance', '1130, 1200')})) sides (part, expected, actual)`,
};

export const remittanceLines: BookCheck = {
  name: 'remittance_lines',
  over: 'remittances',
  unit: 'cents',
  sql: `
select page.id, sides.part, sides.expected, sides.actual from page
cross join lateral (
  select page.amount_cents - coalesce(sum(part."nettedCents"), 0)::bigint as cents
    from jsonb_to_recordset(page.parts) as part ("nettedCents" bigint) where page.kind = 'transfer') due
cross join lateral (
  select coalesce(sum(r.amount_cents) filter (where r.released = (page.status = 'rejected')), 0)::bigint as cents,
      coalesce(sum(l.credit_cents - l.debit_cents), 0)::bigint as ledger_cents
    from remittance_lines r join ledger_lines l on l.org_id = :org and l.id = r.line_id and l.account = r.account
    where r.org_id = :org and r.remittance_id = page.id) covered
cross join lateral (values ('lines', due.cents, covered.cents),
  ('ledger', due.cents, covered.ledger_cents)) sides (part, expected, actual)`,
};

export const shortfallEntryCheck: BookCheck = {
  name: 'shortfall_entries',
  over: 'trust_shortfalls',
  unit: 'cents',
  sql: `
select page.id, page.account::text as part, -page.amount_cents as expected,
    ${posted('shortfall', '2010, 2020, 2030, 2040, 2050, 2090')} as actual
  from page`,
};
