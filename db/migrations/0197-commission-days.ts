// What a producer's statement adds up belongs to the month of its ledger entry: a commission record and a debt that
// comes to light in a closed month get the first open day, as the entry does.
import { Migration } from '@mikro-orm/migrations';

export class CommissionDays extends Migration {
  override readonly name = '0197-commission-days';

  override up(): void {
    this.addSql(FIRST_OPEN_DAY);
    this.addSql(ENTRIES);
    this.addSql(RECORDS);
    this.addSql(SHORTFALLS);
  }
}

/** No month closes until the transaction that wants to know ends. */
const FIRST_OPEN_DAY = `
create function first_open_day(org text, meant date) returns date language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('ledger_periods:' || org, 0));
  return greatest(meant, (select max(last_day) + 1 from ledger_periods where org_id = org and status = 'closed'));
end
$$;`;

const ENTRIES = `
create or replace function keep_periods_closed() returns trigger language plpgsql as $$
declare
  meant date := new.date;
begin
  new.date := first_open_day(new.org_id, meant);
  new.original_date := nullif(meant, new.date);
  return new;
end
$$;`;

const RECORDS = `
create function keep_commission_open() returns trigger language plpgsql as $$
begin
  new.recorded_on := first_open_day(new.org_id, new.recorded_on);
  return new;
end
$$;
create trigger keep_commission_open before insert on commission_records
  for each row execute function keep_commission_open();`;

const SHORTFALLS = `
create function keep_shortfalls_open() returns trigger language plpgsql as $$
begin
  new.arose_on := first_open_day(new.org_id, new.arose_on);
  return new;
end
$$;
create trigger keep_shortfalls_open before insert on trust_shortfalls
  for each row execute function keep_shortfalls_open();`;
