// The card processor's payouts against the ledger: each is posted as it was paid, settles what its lines say, and
// settles nothing that the payments do not show.
import type { BookCheck } from '../check.ts';

/** The balance that the entries of a payout in `page` leave on an account, debits less credits. */
const posted = (account: number) => `coalesce((
  select sum(l.debit_cents - l.credit_cents) from ledger_entries e
    join ledger_lines l on l.org_id = :org and l.entry_id = e.id and l.account = ${account}
    where e.org_id = :org and e.source_type = 'card_payout' and e.source_id = page.id), 0)::bigint`;

/** Only the fees of a payout that came back are in the trust account: operating cash put them there. */
export const cardPayoutEntryCheck: BookCheck = {
  name: 'card_payout_entries',
  over: 'card_payouts',
  unit: 'cents',
  sql: `
select page.id, sides.part, sides.expected, sides.actual from page
cross join lateral (
  select case when page.status = 'paid' then page.gross_cents else page.fee_cents end as cents) swept
cross join lateral (
  select coalesce(sum(l.amount_cents), 0)::bigint as gross, coalesce(sum(l.fee_cents), 0)::bigint as fees,
      count(*) as lines from card_payout_lines l where l.org_id = :org and l.card_payout_id = page.id) settled
cross join lateral (values
  ('1010', swept.cents, ${posted(1010)}), ('1110', -swept.cents, ${posted(1110)}),
  ('5010', page.fee_cents, ${posted(5010)}), ('1030', -page.fee_cents, ${posted(1030)}),
  ('gross', page.gross_cents, settled.gross), ('fees', page.fee_cents, settled.fees),
  ('lines', page.line_count, settled.lines)) sides (part, expected, actual)`,
};

/** Refunds and disputes are checked against the processor's own list (`card_statement`). */
export const cardPayoutLines: BookCheck = {
  name: 'card_payout_lines',
  over: 'card_payout_lines',
  unit: 'cents',
  sql: `
select page.id, page.type || ' ' || page.transaction_id as part, page.amount_cents as expected,
    (select coalesce(sum(p.amount_cents), 0)::bigint from payments p
      where p.org_id = :org and p.kind = 'card' and p.reference = page.intent_id) as actual
  from page where page.type in ('charge', 'payment') and page.intent_id is not null
    and not coalesce(page.occurred_at > cast(:since as timestamptz), false)`,
};
