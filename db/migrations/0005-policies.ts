// Policies, the transactions that made them what they are, their invoices and their filings.
// Names that are searched have a collation of their own: the letter case of a server without a locale is ASCII's alone.
import { Migration } from '@mikro-orm/migrations';

export class Policies extends Migration {
  override readonly name = '0005-policies';

  override up(): void {
    this.addSql(INSUREDS);
    this.addSql(POLICIES);
    this.addSql(POLICY_INDEXES);
    this.addSql(POLICY_TRANSACTIONS);
    this.addSql(INVOICES);
    this.addSql(FILINGS);
  }
}

const INSUREDS = `
create table insureds (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  name text not null,
  name_normalized text collate "C" not null,
  email text,
  phone text,
  address jsonb,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint insureds_of_organization unique (org_id, id)
);
create index insureds_by_name on insureds (org_id, name_normalized);
call protect_tenant_table('insureds');`;

const POLICIES = `
create table policies (
  id text collate "C" primary key,
  org_id text collate "C" not null,
  policy_number text collate "C" not null constraint policies_number_unique unique,
  status text collate "C" not null check (status in ('pending', 'active', 'pending_cancellation', 'cancelled', 'lapsed',
    'expired', 'renewed')),
  submission_id text collate "C",
  quote_id text collate "C",
  producer_id text collate "C",
  insured_id text collate "C" not null,
  insured_name text collate "und-x-icu" not null,
  insured_email text,
  insured_phone text,
  insured_address jsonb,
  naics_code text not null,
  state text collate "C" not null check (state ~ '^[A-Z]{2}$'),
  line_of_business text collate "C" not null,
  limit_cents bigint not null check (limit_cents >= 0),
  aggregate_limit_cents bigint not null check (aggregate_limit_cents >= limit_cents),
  deductible_cents bigint not null check (deductible_cents >= 0),
  annual_revenue_cents bigint not null check (annual_revenue_cents >= 0),
  effective_date date not null,
  expiration_date date not null check (expiration_date > effective_date),
  gross_premium_cents bigint not null check (gross_premium_cents >= 0),
  fees jsonb not null,
  taxes jsonb not null,
  total_due_cents bigint not null check (total_due_cents >= 0),
  installment_plan text not null,
  additional_insureds jsonb not null default '[]',
  usdot_number text,
  renewal_of text collate "C",
  renewal_policy_id text collate "C",
  cancellation jsonb,
  da_contract_id text collate "C",
  da_year int,
  rating_inputs jsonb not null,
  surplus_lines_rates jsonb not null,
  non_renewed boolean not null default false,
  bound_at timestamptz(3) not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint policies_of_organization unique (org_id, id),
  foreign key (org_id, submission_id) references submissions (org_id, id) deferrable initially deferred,
  foreign key (org_id, quote_id) references quotes (org_id, id) deferrable initially deferred,
  foreign key (org_id, producer_id) references producers (org_id, id) deferrable initially deferred,
  foreign key (org_id, insured_id) references insureds (org_id, id) deferrable initially deferred,
  foreign key (org_id, da_contract_id) references da_contracts (org_id, id) deferrable initially deferred,
  foreign key (org_id, renewal_of) references policies (org_id, id) deferrable initially deferred,
  foreign key (org_id, renewal_policy_id) references policies (org_id, id) deferrable initially deferred
);
alter table submissions add foreign key (org_id, policy_id) references policies (org_id, id)
  deferrable initially deferred;
alter table referrals add foreign key (org_id, policy_id) references policies (org_id, id)
  deferrable initially deferred;
call protect_tenant_table('policies');`;

/** One for each filter of the list, ending in the key that pages it. */
const POLICY_INDEXES = `
create index policies_by_status on policies (org_id, status, id);
create index policies_of_producer on policies (org_id, producer_id, id);
create index policies_by_line on policies (org_id, line_of_business, id);
create index policies_by_state on policies (org_id, state, id);
create index policies_by_effective_date on policies (org_id, effective_date);
create index policies_by_expiration_date on policies (org_id, expiration_date);
create index policies_of_insured on policies (org_id, insured_id);
create unique index policies_once_per_submission on policies (org_id, submission_id) where renewal_of is null;
create unique index policies_one_renewal on policies (org_id, renewal_of)
  where status not in ('cancelled', 'lapsed');`;

const POLICY_TRANSACTIONS = `
create table policy_transactions (
  id text collate "C" primary key,
  org_id text collate "C" not null,
  policy_id text collate "C" not null,
  sequence int not null check (sequence > 0),
  type text not null check (type in ('new_business', 'endorsement', 'cancellation', 'reinstatement', 'renewal')),
  effective_date date not null,
  issued_at timestamptz(3) not null,
  issued_on date not null,
  reason text,
  changes jsonb not null default '{}',
  premium_change_cents bigint not null,
  fee_change_cents bigint not null,
  tax_change_cents bigint not null,
  total_change_cents bigint not null
    check (total_change_cents = premium_change_cents + fee_change_cents + tax_change_cents),
  gross_premium_after_cents bigint not null check (gross_premium_after_cents >= 0),
  before jsonb,
  after jsonb,
  actor jsonb not null,
  invoice_ids jsonb not null default '[]',
  credits jsonb not null default '[]',
  reapplied jsonb not null default '[]',
  da_flags jsonb not null default '[]',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint policy_transactions_of_organization unique (org_id, id),
  constraint policy_transactions_sequence_unique unique (org_id, policy_id, sequence),
  foreign key (org_id, policy_id) references policies (org_id, id) deferrable initially deferred
);
call protect_tenant_table('policy_transactions');
call make_append_only('policy_transactions');`;

/** The status is computed, so what can still be owed is found by its amounts. */
const INVOICES = `
create table invoices (
  id text collate "C" primary key,
  org_id text collate "C" not null,
  invoice_number text collate "C" not null,
  policy_id text collate "C" not null,
  transaction_id text collate "C" not null,
  producer_id text collate "C",
  insured_name text collate "und-x-icu" not null,
  installment_number int not null check (installment_number > 0),
  installment_count int not null check (installment_count >= installment_number),
  issue_date date not null,
  due_date date not null,
  lines jsonb not null,
  total_cents bigint not null check (total_cents >= 0),
  paid_cents bigint not null default 0 check (paid_cents >= 0),
  refunded_cents bigint not null default 0 check (refunded_cents between 0 and paid_cents),
  voided_at timestamptz(3),
  uncollectible_at timestamptz(3),
  last_payment_error jsonb,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint invoices_of_organization unique (org_id, id),
  constraint invoices_number_unique unique (org_id, invoice_number),
  foreign key (org_id, policy_id) references policies (org_id, id) deferrable initially deferred,
  foreign key (org_id, transaction_id) references policy_transactions (org_id, id) deferrable initially deferred
);
create index invoices_of_policy on invoices (org_id, policy_id, due_date);
create index invoices_of_producer on invoices (org_id, producer_id, id);
create index invoices_by_due_date on invoices (org_id, due_date);
create index invoices_owed on invoices (org_id, due_date, id)
  where voided_at is null and uncollectible_at is null and paid_cents < total_cents;
create index invoices_settled on invoices (org_id, id)
  where voided_at is not null or uncollectible_at is not null or refunded_cents > 0;
call protect_tenant_table('invoices');`;

const FILINGS = `
create table filings (
  id text collate "C" primary key,
  org_id text collate "C" not null,
  policy_id text collate "C" not null,
  kind text not null,
  state text collate "C" not null check (state ~ '^[A-Z]{2}$'),
  due_date date not null,
  status text collate "C" not null default 'open' check (status in ('open', 'filed')),
  announced_days jsonb not null default '[]',
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint filings_of_organization unique (org_id, id),
  foreign key (org_id, policy_id) references policies (org_id, id) deferrable initially deferred
);
create index filings_of_policy on filings (org_id, policy_id);
create index filings_due on filings (org_id, status, due_date);
call protect_tenant_table('filings');`;
