// Those who are away lend their authority to a deputy, and a decision names both. Decision 0118.
import { Migration } from '@mikro-orm/migrations';

export class Delegations extends Migration {
  override readonly name = '0118-delegations';

  override up(): void {
    this.addSql(DELEGATIONS);
    this.addSql(DECIDED_FOR);
  }
}

const DELEGATIONS = `
create table delegations (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  lender_id text not null,
  lender_role text collate "C" not null,
  deputy_id text not null check (deputy_id <> lender_id),
  starts_on date not null,
  ends_on date not null check (ends_on >= starts_on),
  ended_at timestamptz(3),
  ended_by text,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint delegations_of_organization unique (org_id, id),
  check ((ended_at is null) = (ended_by is null))
);
create index delegations_to_deputy on delegations (org_id, deputy_id, ends_on) where ended_at is null;
create index delegations_of_lender on delegations (org_id, lender_id, id);
call protect_tenant_table('delegations');
revoke update, delete on delegations from bindery_app;
grant update (ended_at, ended_by, version, updated_at) on delegations to bindery_app;`;

const DECIDED_FOR = `
alter table referrals
  add column decided_for text,
  add constraint referrals_decided_for_others
    check (decided_for is null or (decided_by is not null and not jsonb_exists(requesters, decided_for)));`;
