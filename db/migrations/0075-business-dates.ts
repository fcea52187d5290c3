// The business dates that analytics count by: when a change of a policy moved its money, and when a commission was
// recorded. With the indexes by which a period is found.
import { Migration } from '@mikro-orm/migrations';

export class BusinessDates extends Migration {
  override readonly name = '0075-business-dates';

  override up(): void {
    this.addSql(BUSINESS_DATE);
    this.addSql(BOOKED_ON);
    this.addSql(RECORDED_ON);
    this.addSql(INDEXES);
  }
}

/** The business date of the organization that the connection names. */
const BUSINESS_DATE = `
create function business_date() returns date language sql stable as $$
  select (now() at time zone 'UTC')::date
    + coalesce((select clock_offset_days from organizations where id = current_setting('app.org_id', true)), 0)
$$;`;

/**
 * A scheduled cancellation moves its money on its day, every other change when it is issued. A row's default is the
 * business date of its transaction, so that nobody who writes one can forget it.
 */
const BOOKED_ON = `
alter table transaction_billings add column booked_on date;
alter table transaction_billings disable trigger append_only;
alter table transaction_billings no force row level security;
alter table policy_transactions no force row level security;
alter table policies no force row level security;
update transaction_billings b
  set booked_on = case when t.type = 'cancellation' and t.effective_date > p.effective_date
    then greatest(t.issued_on, t.effective_date) else t.issued_on end
  from policy_transactions t join policies p on p.org_id = t.org_id and p.id = t.policy_id
  where t.org_id = b.org_id and t.id = b.transaction_id;
alter table policies force row level security;
alter table policy_transactions force row level security;
alter table transaction_billings force row level security;
alter table transaction_billings enable trigger append_only;
alter table transaction_billings alter column booked_on set default business_date(),
  alter column booked_on set not null;`;

const RECORDED_ON = `
alter table commission_records add column recorded_on date;
alter table commission_records disable trigger append_only;
alter table commission_records no force row level security;
update commission_records set recorded_on = (created_at at time zone 'UTC')::date;
alter table commission_records force row level security;
alter table commission_records enable trigger append_only;
alter table commission_records alter column recorded_on set default business_date(),
  alter column recorded_on set not null;`;

const INDEXES = `
create index policy_transactions_involved on policy_transactions (org_id, policy_id)
  where reverses is not null or reapplied <> '[]' or type = 'reinstatement';
create index policy_transactions_by_issue on policy_transactions (org_id, issued_on);
create index transaction_billings_by_booking on transaction_billings (org_id, booked_on);
create index commission_records_by_date on commission_records (org_id, recorded_on);
create index claim_entries_by_date on claim_entries (org_id, happened_on);
create index quotes_by_issue on quotes (org_id, issued_on);`;
