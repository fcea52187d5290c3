// An invoice's total is the sum of its lines.
import type { BookCheck } from '../check.ts';
import { CENTS_OF_LINE } from '../sql.ts';

export const invoiceTotal: BookCheck = {
  name: 'invoice_total',
  over: 'invoices',
  unit: 'cents',
  sql: `
select page.id, 'total' as part, total_cents as actual,
    (select coalesce(sum(${CENTS_OF_LINE}), 0)::bigint from jsonb_array_elements(lines) line) as expected
  from page`,
};
