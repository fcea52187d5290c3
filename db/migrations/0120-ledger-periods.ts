// Closed months: no entry is posted with a date in one, whoever posts it. The database sees to it: what would be dated
// there is dated the first open day, and keeps the day that was meant.
import { Migration } from '@mikro-orm/migrations';

export class LedgerPeriods extends Migration {
  override readonly name = '0120-ledger-periods';

  override up(): void {
    this.addSql(PERIODS);
    this.addSql(MEANT_DATE);
    this.addSql(KEEP_CLOSED);
  }
}

/** Months close one after the other; of the closed ones only the last can be opened again. */
const PERIODS = `
create table ledger_periods (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  month text collate "C" not null check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  last_day date not null check (to_char(last_day, 'YYYY-MM') = month
    and extract(day from last_day + interval '1 day') = 1),
  status text collate "C" not null check (status in ('closed', 'reopened')),
  balances jsonb,
  closed_by text not null,
  closed_at timestamptz(3) not null,
  reopened_by text,
  reopened_at timestamptz(3),
  reopen_reason text,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint ledger_periods_of_organization unique (org_id, id),
  constraint ledger_periods_month unique (org_id, month),
  check (status = 'closed' or (reopened_by is not null and reopened_at is not null and reopen_reason is not null))
);
call protect_tenant_table('ledger_periods');
revoke update, delete on ledger_periods from bindery_app;
revoke insert, update, delete on ledger_periods from bindery_ops;
grant update (status, balances, closed_by, closed_at, reopened_by, reopened_at, reopen_reason, version, updated_at)
  on ledger_periods to bindery_app;`;

const MEANT_DATE = `
alter table ledger_entries add column original_date date check (original_date < date);`;

/** A month that is being closed waits for the transactions that post, and those that come later see it closed. */
const KEEP_CLOSED = `
create function keep_periods_closed() returns trigger language plpgsql as $$
declare
  closed_through date;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('ledger_periods:' || new.org_id, 0));
  select max(last_day) into closed_through from ledger_periods where org_id = new.org_id and status = 'closed';
  if new.date <= closed_through then
    new.original_date := new.date;
    new.date := closed_through + 1;
  else
    new.original_date := null;
  end if;
  return new;
end
$$;
create trigger keep_periods_closed before insert on ledger_entries
  for each row execute function keep_periods_closed();`;
