// Payees of claims whose names are on a sanctions list: what was found at which step, and who has cleared it.
import { Migration } from '@mikro-orm/migrations';

export class ClaimPayeeHolds extends Migration {
  override readonly name = '0150-claim-payee-holds';

  override up(): void {
    this.addSql(HOLDS);
  }
}

/** The payee is known under the id of its settlement or payment. */
const HOLDS = `
create table claim_payee_holds (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  claim_id text collate "C" not null,
  payee_id text collate "C" not null references claim_payees (id) deferrable initially deferred,
  step text collate "C" not null check (step in ('offer', 'approval', 'payment', 'payout')),
  matches jsonb not null,
  held_on date not null,
  cleared_by jsonb,
  cleared_on date,
  clear_note_id text collate "C",
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint claim_payee_holds_of_organization unique (org_id, id),
  check ((cleared_by is null) = (cleared_on is null)),
  foreign key (org_id, claim_id) references claims (org_id, id) deferrable initially deferred,
  foreign key (org_id, claim_id, clear_note_id) references claim_notes (org_id, claim_id, id)
    deferrable initially deferred
);
create index claim_payee_holds_of_claim on claim_payee_holds (org_id, claim_id, id);
create unique index claim_payee_holds_open on claim_payee_holds (org_id, payee_id) where cleared_on is null;
call protect_tenant_table('claim_payee_holds');
revoke update, delete on claim_payee_holds from bindery_app;
grant update (matches, cleared_by, cleared_on, clear_note_id, updated_at) on claim_payee_holds to bindery_app;`;
