// Claims: the claim, the particulars of the loss, reasons and notes apart from it, and its history.
import { Migration } from '@mikro-orm/migrations';

export class Claims extends Migration {
  override readonly name = '0040-claims';

  override up(): void {
    this.addSql(CLAIMS);
    this.addSql(WORDS);
    this.addSql(ENTRIES);
    this.addSql(PROTECTION);
  }
}

const CLAIMS = `
create table claims (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  claim_number text collate "C" not null,
  status text collate "C" not null
    check (status in ('reported', 'investigating', 'settlement_offered', 'settled', 'denied', 'closed')),
  policy_id text collate "C" not null,
  policy_number text collate "C" not null,
  insured_name text not null,
  producer_id text collate "C",
  state text collate "C" not null,
  line_of_business text collate "C" not null,
  loss_date date not null,
  reported_on date not null,
  contains_phi boolean not null,
  adjuster_id text,
  estimated_amount_cents bigint check (estimated_amount_cents >= 0),
  coverage jsonb not null,
  coverage_flags jsonb not null,
  duplicate_of text collate "C",
  reserve_indemnity_cents bigint not null default 0,
  reserve_expense_cents bigint not null default 0,
  paid_indemnity_cents bigint not null default 0 check (paid_indemnity_cents >= 0),
  paid_expense_cents bigint not null default 0 check (paid_expense_cents >= 0),
  recovered_cents bigint not null default 0 check (recovered_cents >= 0),
  clocks jsonb not null,
  next_step_on date,
  denial jsonb,
  closure jsonb,
  closed_at timestamptz(3),
  entries int not null default 0,
  created_by text not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint claims_of_organization unique (org_id, id),
  constraint claims_number_once unique (org_id, claim_number),
  constraint claims_reserves_cover_paid check (
    reserve_indemnity_cents >= paid_indemnity_cents and reserve_expense_cents >= paid_expense_cents),
  check ((status = 'closed') = (closed_at is not null)),
  foreign key (org_id, policy_id) references policies (org_id, id) deferrable initially deferred,
  foreign key (org_id, producer_id) references producers (org_id, id) deferrable initially deferred,
  foreign key (org_id, duplicate_of) references claims (org_id, id) deferrable initially deferred
);
create index claims_by_status on claims (org_id, status, id);
create index claims_of_policy on claims (org_id, policy_id, loss_date, id);
create index claims_of_producer on claims (org_id, producer_id, id);
create index claims_of_adjuster on claims (org_id, adjuster_id, id);
create index claims_by_loss_date on claims (org_id, loss_date, id);
create index claims_newest on claims (org_id, id);
create index claims_due on claims (org_id, next_step_on) where next_step_on is not null;`;

/** The particulars come before the claim, so they name it without a foreign key; the claim needs them. */
const WORDS = `
create table claim_particulars (
  claim_id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  description text not null,
  cause text,
  reported_by text,
  loss_location text,
  claimant_name text,
  claimant_email text,
  claimant_phone text,
  created_at timestamptz(3) not null default now(),
  constraint claim_particulars_of_organization unique (org_id, claim_id)
);
alter table claims add foreign key (org_id, id) references claim_particulars (org_id, claim_id)
  deferrable initially deferred;

create table claim_notes (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  claim_id text collate "C" not null,
  text text not null,
  created_at timestamptz(3) not null default now(),
  constraint claim_notes_of_organization unique (org_id, claim_id, id),
  foreign key (org_id, claim_id) references claims (org_id, id) deferrable initially deferred
);`;

const ENTRIES = `
create table claim_entries (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  claim_id text collate "C" not null,
  sequence int not null check (sequence > 0),
  action text collate "C" not null,
  actor jsonb not null,
  happened_on date not null,
  changes jsonb not null,
  note_id text collate "C",
  created_at timestamptz(3) not null default now(),
  constraint claim_entries_once unique (org_id, claim_id, sequence),
  foreign key (org_id, claim_id) references claims (org_id, id) deferrable initially deferred,
  foreign key (org_id, claim_id, note_id) references claim_notes (org_id, claim_id, id) deferrable initially deferred
);`;

/** What was said, written and done stays as it is; of a claim only what its life moves changes. */
const PROTECTION = `
call protect_tenant_table('claims');
call protect_tenant_table('claim_particulars');
call protect_tenant_table('claim_notes');
call protect_tenant_table('claim_entries');
revoke update, delete on claims, claim_particulars, claim_notes, claim_entries from bindery_app;
grant update (status, adjuster_id, coverage, coverage_flags, reserve_indemnity_cents, reserve_expense_cents,
  paid_indemnity_cents, paid_expense_cents, recovered_cents, clocks, next_step_on, denial, closure, closed_at, entries,
  version, updated_at) on claims to bindery_app;`;
