// A check that was stopped and issued again under another number has two movements at the bank, each with the number
// that it was posted with.
import { Migration } from '@mikro-orm/migrations';

export class ChecksKeepTheirNumbers extends Migration {
  override readonly name = '0267-checks-keep-their-numbers';

  override up(): void {
    this.addSql(NUMBERS);
  }
}

/** Earlier numbers are known from the entries alone. The owner bypasses the protection of the tables for them. */
const NUMBERS = `
alter table disbursements add column issued_as jsonb not null default '{}';
alter table disbursements no force row level security;
alter table ledger_entries no force row level security;
update disbursements d set issued_as = numbers.issued_as from (
  select e.org_id, split_part(e.source_id, ':', 1) as id,
      jsonb_object_agg(split_part(e.source_id, ':', 2),
        substring(e.description from '^(?:Check|Transfer) (.*) for refund ')) as issued_as
    from ledger_entries e
    where e.source_type = 'disbursement' and e.entry_type = 'payout' and e.source_id like '%:%'
      and e.description ~ '^(Check|Transfer) .* for refund '
    group by 1, 2
) numbers where d.org_id = numbers.org_id and d.id = numbers.id;
alter table disbursements force row level security;
alter table ledger_entries force row level security;
grant update (issued_as) on disbursements to bindery_app;`;
