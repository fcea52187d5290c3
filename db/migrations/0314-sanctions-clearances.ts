// Names that a person has cleared: they only resemble a listed party. Decision 0343.
import { Migration } from '@mikro-orm/migrations';

export class SanctionsClearances extends Migration {
  override readonly name = '0314-sanctions-clearances';

  override up(): void {
    this.addSql(CLEARANCES);
  }
}

const CLEARANCES = `
create table sanctions_clearances (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  name text not null,
  name_key text not null,
  matches jsonb not null,
  reason text not null,
  cleared_by jsonb not null,
  withdrawn_at timestamptz(3),
  withdrawn_by jsonb,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint sanctions_clearances_of_organization unique (org_id, id),
  check ((withdrawn_at is null) = (withdrawn_by is null))
);
create index sanctions_clearances_of_name on sanctions_clearances (org_id, name_key) where withdrawn_at is null;
call protect_tenant_table('sanctions_clearances');
revoke update, delete on sanctions_clearances from bindery_app;
grant update (withdrawn_at, withdrawn_by, version, updated_at) on sanctions_clearances to bindery_app;`;
