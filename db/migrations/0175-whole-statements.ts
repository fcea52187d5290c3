// Which days a bank statement has whole, and the bookings that it repeats: they take the place of those of a statement
// that is withdrawn.
import { Migration } from '@mikro-orm/migrations';

export class WholeStatements extends Migration {
  override readonly name = '0175-whole-statements';

  override up(): void {
    this.addSql(WHOLE_DAYS);
    this.addSql(REPEATS);
  }
}

const WHOLE_DAYS = `
alter table bank_statements add column whole_until date check (whole_until between from_date and to_date);
create index bank_statements_whole on bank_statements (org_id, whole_until)
  where whole_until is not null and withdrawn_at is null;
grant update (new_line_count) on bank_statements to bindery_app;`;

/** A repeated booking counts nowhere. */
const REPEATS = `
alter table bank_lines add column repeat_of text collate "C",
  add check (repeat_of is null or match_rule is null),
  add foreign key (org_id, repeat_of) references bank_lines (org_id, id) deferrable initially deferred;
drop index bank_lines_open;
create index bank_lines_open on bank_lines (org_id, amount_cents, id)
  where match_rule is null and repeat_of is null and not withdrawn;
create index bank_lines_repeats on bank_lines (org_id, repeat_of) where repeat_of is not null;
grant update (repeat_of) on bank_lines to bindery_app;`;
