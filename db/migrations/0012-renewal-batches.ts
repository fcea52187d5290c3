// Renewal batches with the outcome of each policy, and the switches that an organization sets for itself.
import { Migration } from '@mikro-orm/migrations';

export class RenewalBatches extends Migration {
  override readonly name = '0012-renewal-batches';

  override up(): void {
    this.addSql(FLAG_OVERRIDES);
    this.addSql(RENEWAL_BATCHES);
    this.addSql(RENEWAL_BATCH_ITEMS);
    this.addSql(POLICIES_TO_RENEW);
  }
}

const FLAG_OVERRIDES = `
create table flag_overrides (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  key text collate "C" not null,
  value jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint flag_overrides_once unique (org_id, key)
);
create index flag_overrides_of_key on flag_overrides (key, org_id);
call protect_tenant_table('flag_overrides');`;

/** The person who requested a batch acts in its renewals; the calendar requests the daily one. */
const RENEWAL_BATCHES = `
create table renewal_batches (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  workflow_id text collate "C" not null,
  within_days int not null check (within_days between 1 and 90),
  business_date date not null,
  is_daily boolean not null,
  status text collate "C" not null check (status in ('running', 'completed', 'failed')),
  matched int not null check (matched >= 0),
  requested_by jsonb not null,
  request_id text collate "C",
  completed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint renewal_batches_of_organization unique (org_id, id),
  constraint renewal_batches_of_workflow unique (org_id, workflow_id)
);
call protect_tenant_table('renewal_batches');`;

/** The policies that a batch has taken, from its opening on; each is given its outcome once. */
const RENEWAL_BATCH_ITEMS = `
create table renewal_batch_items (
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  batch_id text collate "C" not null,
  policy_id text collate "C" not null,
  expiration_date date not null,
  outcome text collate "C" check (outcome in ('renewed', 'referred', 'failed')),
  renewal_policy_id text collate "C",
  error jsonb,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, batch_id, policy_id),
  check ((outcome is not distinct from 'renewed') = (renewal_policy_id is not null)),
  check ((outcome is not distinct from 'failed') = (error is not null)),
  foreign key (org_id, batch_id) references renewal_batches (org_id, id) deferrable initially deferred,
  foreign key (org_id, policy_id) references policies (org_id, id) deferrable initially deferred
);
create index renewal_batch_items_in_order on renewal_batch_items (org_id, batch_id, expiration_date, policy_id)
  include (outcome);
create index renewal_batch_items_of_policy on renewal_batch_items (org_id, policy_id);
call protect_tenant_table('renewal_batch_items');`;

const POLICIES_TO_RENEW = `
create index policies_to_renew on policies (org_id, expiration_date, id)
  where status = 'active' and renewal_policy_id is null and not non_renewed;`;
