// Money owed back by check leaves the trust when the check is issued. Account 2060 owes it until then, and again once
// the check is stopped; account 1010 has exactly those issued or cleared. A cancelled amount is no longer owed: it
// repaid what operating money owed the trust (1040), or is kept as its own receipt. Contract 3.4.
import type { BookCheck } from '../check.ts';

/** The entries of disbursement `d`: each issue is its own source, `<id>:<issue>`. */
const isOfDisbursement = (d: string) => `(e.org_id = :org and e.source_type = 'disbursement'
  and e.source_id >= ${d}.id || ':' and e.source_id < ${d}.id || ';')`;

/** Whether disbursement `d` was paid by its refund's entries, before disbursements were rows. */
export const PAID_BEFORE_ISSUED = (d: string) => `(${d}.issues > 0 and not exists (
  select from ledger_entries e where e.org_id = :org and e.source_type = 'disbursement' and e.source_id = ${d}.id || ':1'
    and e.entry_type = 'payout'))`;

export const disbursementEntries: BookCheck = {
  name: 'disbursement_entries',
  over: 'disbursements',
  unit: 'cents',
  sql: `
select page.id, sides.part, sides.expected, sides.actual from page
cross join lateral (
  select case when page.status in ('issued', 'cleared') then page.amount_cents - page.cancelled_cents else 0 end
      - case when ${PAID_BEFORE_ISSUED('page')} then page.amount_cents else 0 end as cents) paid
cross join lateral (
  select coalesce(sum(l.debit_cents - l.credit_cents) filter (where l.account = 1010), 0)::bigint as cash,
      coalesce(sum(l.debit_cents - l.credit_cents) filter (where l.account = 2060), 0)::bigint as owed,
      coalesce(sum(l.debit_cents - l.credit_cents) filter (where l.account = 1040), 0)::bigint as covered
    from ledger_entries e join ledger_lines l on l.org_id = :org and l.entry_id = e.id
    where ${isOfDisbursement('page')}) posted
cross join lateral (
  select coalesce(sum(k.amount_cents), 0)::bigint as cents from payments k
    where k.org_id = :org and k.kind = 'manual' and k.method = 'kept_refund'
      and k.invoice_id is not distinct from page.invoice_id and split_part(k.reference, ':', 1) = page.id) kept
cross join lateral (values ('1010', -paid.cents, posted.cash), ('2060', paid.cents + page.cancelled_cents - page.kept_cents, posted.owed),
  ('1040', page.kept_cents - page.cancelled_cents, posted.covered), ('kept', page.kept_cents, kept.cents)) sides (part, expected, actual)`,
};
