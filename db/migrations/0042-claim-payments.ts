// Money of claims: the loss funds of carriers and what they deposit, payments on claims, recoveries.
import { Migration } from '@mikro-orm/migrations';

export class ClaimPayments extends Migration {
  override readonly name = '0042-claim-payments';

  override up(): void {
    this.addSql(FUNDS);
    this.addSql(PAYMENTS);
    this.addSql(PROTECTION);
  }
}

const FUNDS = `
create table loss_funds (
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  carrier text not null,
  balance_cents bigint not null default 0 check (balance_cents >= 0),
  requested_cents bigint not null default 0 check (requested_cents >= 0),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, carrier)
);

create table loss_fund_deposits (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  carrier text not null,
  amount_cents bigint not null check (amount_cents > 0),
  reference text not null,
  deposited_on date not null,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  constraint loss_fund_deposits_once unique (org_id, carrier, reference)
);`;

const PAYMENTS = `
create table claim_payments (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  claim_id text collate "C" not null,
  policy_id text collate "C" not null,
  carrier text not null,
  kind text collate "C" not null check (kind in ('indemnity', 'expense')),
  amount_cents bigint not null check (amount_cents > 0),
  payee_id text collate "C" not null references claim_payees (id) deferrable initially deferred,
  reference text,
  status text collate "C" not null check (status in ('pending', 'paid', 'void')),
  requested_cents bigint not null default 0 check (requested_cents >= 0),
  paid_on date,
  voided_on date,
  void_note_id text collate "C",
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint claim_payments_of_organization unique (org_id, id),
  check (status <> 'paid' or paid_on is not null),
  check ((status = 'void') = (voided_on is not null)),
  foreign key (org_id, claim_id) references claims (org_id, id) deferrable initially deferred,
  foreign key (org_id, claim_id, void_note_id) references claim_notes (org_id, claim_id, id)
    deferrable initially deferred
);
create index claim_payments_of_claim on claim_payments (org_id, claim_id, id);
create index claim_payments_waiting on claim_payments (org_id, id) where status = 'pending';

create table claim_recoveries (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  claim_id text collate "C" not null,
  carrier text not null,
  kind text collate "C" not null check (kind in ('salvage', 'subrogation')),
  amount_cents bigint not null check (amount_cents > 0),
  reference text,
  received_on date not null,
  created_at timestamptz(3) not null default now(),
  constraint claim_recoveries_of_organization unique (org_id, id),
  foreign key (org_id, claim_id) references claims (org_id, id) deferrable initially deferred
);
create index claim_recoveries_of_claim on claim_recoveries (org_id, claim_id, id);`;

const PROTECTION = `
call protect_tenant_table('loss_funds');
call protect_tenant_table('loss_fund_deposits');
call protect_tenant_table('claim_payments');
call protect_tenant_table('claim_recoveries');
revoke update, delete on loss_funds, loss_fund_deposits, claim_payments, claim_recoveries from bindery_app;
grant update (balance_cents, requested_cents, updated_at) on loss_funds to bindery_app;
grant update (status, requested_cents, paid_on, voided_on, void_note_id, version, updated_at)
  on claim_payments to bindery_app;`;
