// The paid and refunded amounts on an invoice match its payments.
import type { BookCheck } from '../check.ts';
import { PAYING, RETURNS } from '../sql.ts';

export const invoicePaid: BookCheck = {
  name: 'invoice_paid',
  over: 'invoices',
  unit: 'cents',
  sql: `
select page.id, part, expected, actual from page
cross join lateral (
  select coalesce(sum(applied_cents) filter (where kind in ${PAYING}), 0) as paid,
      coalesce(-sum(applied_cents) filter (where kind in ${RETURNS}), 0) as refunded,
      coalesce(sum(before_paid_cents) filter (where kind in ${RETURNS}), 0) as before_paid
    from payments p where p.org_id = :org and p.invoice_id = page.id and p.status = 'succeeded'
) sums
cross join lateral (values
  ('paid', sums.paid, page.paid_cents), ('refunded', sums.refunded, page.refunded_cents),
  ('refunded_before_paid', sums.before_paid, page.refunded_before_paid_cents)
) sides (part, expected, actual)`,
};
