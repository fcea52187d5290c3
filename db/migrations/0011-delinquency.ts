// Delinquency: the notices an unpaid policy has had, and the periods in which a state forbids a lapse.
import { Migration } from '@mikro-orm/migrations';

export class Delinquency extends Migration {
  override readonly name = '0011-delinquency';

  override up(): void {
    this.addSql(POLICIES_DELINQUENCY);
    this.addSql(BILLING_HOLDS);
  }
}

/** What was done about unpaid premium; what is unpaid is in the invoices. Null for a policy that was never behind. */
const POLICIES_DELINQUENCY = `
alter table policies add column delinquency jsonb;`;

/** One that was lifted stays: the days before it was lifted still do not count. */
const BILLING_HOLDS = `
create table billing_holds (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  state text collate "C" not null check (state ~ '^[A-Z]{2}$'),
  from_date date not null,
  to_date date not null check (to_date >= from_date),
  lifted_on date,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint billing_holds_of_organization unique (org_id, id)
);
create index billing_holds_of_state on billing_holds (org_id, state);
call protect_tenant_table('billing_holds');`;
