// The names that a producer bore before, each with the day from which it bore the next one: a report of an earlier
// month names it as it was called then. The table keeps them itself, so that nobody who renames a producer can forget.
import { Migration } from '@mikro-orm/migrations';

export class FormerNames extends Migration {
  override readonly name = '0241-former-names';

  override up(): void {
    this.addSql(FORMER_NAMES);
  }
}

const FORMER_NAMES = `
alter table producers add column former_names jsonb not null default '[]';
create function keep_former_name() returns trigger language plpgsql as $$
begin
  new.former_names := old.former_names || jsonb_build_array(
    jsonb_build_object('name', old.name, 'until', business_date()));
  return new;
end
$$;
create trigger former_name before update of name on producers for each row
  when (new.name <> old.name) execute function keep_former_name();`;
