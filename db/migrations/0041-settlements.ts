// Settlements of claims: the latest on the claim, and the names of those who are to be paid apart from it.
import { Migration } from '@mikro-orm/migrations';

export class Settlements extends Migration {
  override readonly name = '0041-settlements';

  override up(): void {
    this.addSql(SETTLEMENTS);
    this.addSql(PAYEES);
  }
}

const SETTLEMENTS = `
alter table claims add column settlement jsonb,
  add column deductible_taken_cents bigint not null default 0 check (deductible_taken_cents >= 0);
grant update (settlement, deductible_taken_cents) on claims to bindery_app;`;

const PAYEES = `
create table claim_payees (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  claim_id text collate "C" not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  foreign key (org_id, claim_id) references claims (org_id, id) deferrable initially deferred
);
call protect_tenant_table('claim_payees');
revoke update, delete on claim_payees from bindery_app;`;
