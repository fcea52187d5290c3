// References of payments and recoveries and the provision of a denial are words on a claim like any other: they lie
// apart from what steps and lists read.
import { Migration } from '@mikro-orm/migrations';

export class ClaimReferences extends Migration {
  override readonly name = '0051-claim-references';

  override up(): void {
    this.addSql(REFERENCES);
    this.addSql(OPEN);
    this.addSql(MOVE_THOSE_OF_PAYMENTS);
    this.addSql(MOVE_PROVISIONS);
    this.addSql(CLOSE);
    this.addSql('alter table claim_payments drop column reference');
    this.addSql('alter table claim_recoveries drop column reference');
  }
}

const REFERENCES = `
create table claim_references (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  claim_id text collate "C" not null,
  text text not null,
  created_at timestamptz(3) not null default now(),
  foreign key (org_id, claim_id) references claims (org_id, id) deferrable initially deferred
);
create index claim_references_of_claim on claim_references (org_id, claim_id);
call protect_tenant_table('claim_references');
revoke update, delete on claim_references from bindery_app;`;

/** Row-level security binds the owner of the tables too: without this nothing would be moved. */
const OPEN = `
alter table claims no force row level security;
alter table claim_payments no force row level security;
alter table claim_recoveries no force row level security;
alter table claim_references no force row level security;`;
const CLOSE = `
alter table claim_references force row level security;
alter table claim_recoveries force row level security;
alter table claim_payments force row level security;
alter table claims force row level security;`;

const MOVE_THOSE_OF_PAYMENTS = `
insert into claim_references (id, org_id, claim_id, text)
  select id, org_id, claim_id, reference from claim_payments where reference is not null
  union all
  select id, org_id, claim_id, reference from claim_recoveries where reference is not null;`;

/** A provision goes with the note that has the reason. */
const MOVE_PROVISIONS = `
insert into claim_references (id, org_id, claim_id, text)
  select denial ->> 'noteId', org_id, id, denial ->> 'policyProvision' from claims
    where denial ->> 'policyProvision' is not null;
update claims set denial = denial - 'policyProvision' where denial is not null;`;
