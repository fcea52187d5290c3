// An invoice is disputed while a bank decides a dispute over money on it. Contract 3.4.
import type { BookCheck } from '../check.ts';

export const invoiceDisputed: BookCheck = {
  name: 'invoice_disputed',
  over: 'invoices',
  unit: 'count',
  sql: `
select page.id, 'disputed' as part, page.disputed::int as actual, (exists (
    select from payments c where c.org_id = :org and c.invoice_id = page.id and c.kind = 'chargeback'
      and c.status = 'succeeded' and c.dispute ->> 'outcome' = 'open'))::int as expected
  from page`,
};
