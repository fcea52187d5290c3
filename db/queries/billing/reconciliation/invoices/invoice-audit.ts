// Every invoice that is written off or voided by hand has an audit record, and every such record has its invoice. A
// later payment ends a write-off. Contract 3.4, domain facts 2.5.
import type { BookCheck } from '../check.ts';
import { isPaid, isUnsettled } from '../sql.ts';

/** Whether an audit row of the invoice in `page` sets this field. */
const isRecorded = (word: string, field: string) => `exists (select from audit_entries a
    where a.org_id = :org and a.entity_id = page.id and a.entity_type = 'invoice'
      and split_part(a.action, ':', 2) = '${word}' and a.changes -> '${field}' is not null)`;

/** A payment, a void, or the reversal of that payment has ended the write-off. */
const IS_OVER = `(page.uncollectible_at is null
    and (page.voided_at is not null or ${isPaid('page')} or ${isUnsettled('page.id')}))`;

export const invoiceAudit: BookCheck = {
  name: 'invoice_audit',
  over: 'invoices',
  unit: 'count',
  sql: `
select page.id, part, expected::int as expected, actual::int as actual from page
  cross join lateral (values
    ('write_off', ${isRecorded('write_off', 'uncollectibleAt')} and not ${IS_OVER}, page.uncollectible_at is not null),
    ('void', ${isRecorded('void', 'voidedAt')}, page.voided_at is not null and page.voided_by is null)
  ) sides (part, expected, actual)`,
};
