// A carrier is one carrier however its name is written: in capitals or not, with or without space around. Appointments
// of which only one may live are found by the name as it is compared.
import { Migration } from '@mikro-orm/migrations';

export class AppointmentsByCarrier extends Migration {
  override readonly name = '0099-appointments-by-carrier';

  override up(): void {
    this.addSql(TERMINATE_TWINS);
    this.addSql('drop index appointments_unique');
    this.addSql(UNIQUE);
  }
}

/** Of several that live, the newest active one stays, otherwise the newest. */
const TERMINATE_TWINS = `
alter table appointments no force row level security;
update appointments set status = 'terminated', for_cause = false where id in (
  select id from (
    select id, row_number() over (
      partition by org_id, producer_id, state, line_of_business, lower(btrim(carrier))
      order by (status = 'active') desc, id desc
    ) as place
    from appointments where status in ('pending', 'active', 'suspended')
  ) live where place > 1
);
alter table appointments force row level security;`;

const UNIQUE = `
create unique index appointments_unique
  on appointments (org_id, producer_id, state, line_of_business, lower(btrim(carrier)))
  where status in ('pending', 'active', 'suspended')`;
