// Appointments that end and come again: one live row for each producer, carrier, state and line; the mark of a
// termination for cause; and whether it is for surplus lines.
import { Migration } from '@mikro-orm/migrations';

export class Appointments extends Migration {
  override readonly name = '0069-appointments';

  override up(): void {
    this.addSql(COLUMNS);
    this.addSql(INDEXES);
  }
}

const COLUMNS = `
alter table appointments
  add column surplus_lines boolean not null default false,
  add column for_cause boolean,
  add constraint appointments_for_cause check (for_cause is null or status = 'terminated'),
  drop constraint appointments_unique;`;

const INDEXES = `
create unique index appointments_unique on appointments (org_id, producer_id, state, line_of_business, carrier)
  where status in ('pending', 'active', 'suspended');
create index appointments_expiring on appointments (org_id, expiration_date)
  where status in ('active', 'suspended') and expiration_date is not null;`;
