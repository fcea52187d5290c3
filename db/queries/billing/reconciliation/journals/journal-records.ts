// Every journal left a record of who made it, with which lines, and of who else decided on it. One that was posted was
// published with its amount. Contract 3.4.
import type { BookCheck } from '../check.ts';

/** Whether an audit row of the journal in `page` says that somebody did this. */
const isRecorded = (word: string, by: string, more = '') => `(select least(count(*), 1) from audit_entries a
    where a.org_id = :org and a.entity_id = page.id and a.entity_type = 'journal'
      and split_part(a.action, ':', 2) = ${word} and a.actor_id = ${by} ${more})`;

const DECISION = "case page.status when 'posted' then 'approve' else 'reject' end";

export const journalAudit: BookCheck = {
  name: 'journal_audit',
  over: 'journals',
  unit: 'count',
  sql: `
select page.id, part, expected, actual from page
  cross join lateral (values
    ('made', 1, ${isRecorded("'create'", 'page.made_by', "and a.changes -> 'lines' -> 'after' = page.lines")}),
    ('decided', case when page.status = 'pending_approval' then 0 else 1 end,
      ${isRecorded(DECISION, 'page.decided_by')})) sides (part, expected, actual)`,
};

export const journalEvents: BookCheck = {
  name: 'journal_events',
  over: 'journals',
  unit: 'count',
  sql: `
select page.id, 'journal.posted' as part, 1 as expected, least(count(e.id), 1) as actual
  from page cross join lateral (
    select sum((line ->> 'debitCents')::bigint) as cents from jsonb_array_elements(page.lines) line) entered
  left join events e on e.org_id = :org and e.type = 'journal.posted' and e.data ->> 'journalId' = page.id
    and round((e.data ->> 'amount')::numeric * 100) = entered.cents
  where page.status = 'posted' group by page.id`,
};
