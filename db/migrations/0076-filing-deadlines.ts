// What becomes of a filing: the transaction that requires it, when and under which reference it was filed, and when it
// was noted as overdue. With the day of the calendar's next step, by which the daily sweep finds it.
import { Migration } from '@mikro-orm/migrations';

export class FilingDeadlines extends Migration {
  override readonly name = '0076-filing-deadlines';

  override up(): void {
    this.addSql(COLUMNS);
    this.addSql(NEXT_STEP);
    this.addSql(INDEXES);
  }
}

const COLUMNS = `
alter table filings
  add column transaction_id text collate "C",
  add column filed_on date,
  add column filed_by text,
  add column reference text,
  add column missed_on date,
  add foreign key (org_id, transaction_id) references policy_transactions (org_id, id) deferrable initially deferred,
  add constraint filings_filed_once check (status = 'filed' or num_nonnulls(filed_on, filed_by, reference) = 0);`;

/** A row that stands is looked at by the next sweep, which finds out what has come due. */
const NEXT_STEP = `
alter table filings add column next_step_on date;
alter table filings no force row level security;
update filings set next_step_on = due_date - 60 where status = 'open';
alter table filings force row level security;`;

const INDEXES = `
create index filings_next_step on filings (org_id, next_step_on) where status = 'open';
create index filings_newest on filings (org_id, id);`;
