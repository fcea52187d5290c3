// What comes before a policy: submissions, their quotes, and the questions to higher authority.
// Names that are searched have a collation of their own: the letter case of a server without a locale is ASCII's alone.
import { Migration } from '@mikro-orm/migrations';

export class Submissions extends Migration {
  override readonly name = '0004-submissions';

  override up(): void {
    this.addSql(SUBMISSIONS);
    this.addSql(SUBMISSION_INDEXES);
    this.addSql(QUOTES);
    this.addSql(REFERRALS);
  }
}

const SUBMISSIONS = `
create table submissions (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  status text collate "C" not null check (status in ('received', 'incomplete', 'triaged', 'quoted', 'referred', 'bound',
    'declined', 'withdrawn', 'expired', 'not_taken')),
  insured_name text collate "und-x-icu",
  insured_name_normalized text collate "C",
  naics_code text check (naics_code ~ '^[0-9]{2,6}$'),
  annual_revenue_cents bigint check (annual_revenue_cents >= 0),
  requested_limit_cents bigint check (requested_limit_cents >= 0),
  effective_date date,
  state text collate "C" check (state ~ '^[A-Z]{2}$'),
  line_of_business text collate "C",
  producer_id text collate "C",
  insured_email text,
  insured_phone text,
  insured_address jsonb,
  deductible_cents bigint check (deductible_cents >= 0),
  losses_last_5_years int check (losses_last_5_years >= 0),
  years_in_business int check (years_in_business >= 0),
  usdot_number text,
  description text,
  missing_fields jsonb not null default '[]',
  triage jsonb,
  clearance jsonb,
  quote_id text collate "C",
  policy_id text collate "C",
  decline_reason text,
  expires_on date,
  created_by text not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint submissions_of_organization unique (org_id, id),
  constraint submissions_complete check (status in ('received', 'incomplete', 'declined', 'withdrawn', 'expired')
    or num_nulls(insured_name, naics_code, annual_revenue_cents, requested_limit_cents, effective_date, state,
      line_of_business) = 0),
  foreign key (org_id, producer_id) references producers (org_id, id) deferrable initially deferred
);
call protect_tenant_table('submissions');`;

/** One for each filter of the list, ending in the key that pages it, and one for the search of duplicates. */
const SUBMISSION_INDEXES = `
create index submissions_by_status on submissions (org_id, status, id);
create index submissions_of_producer on submissions (org_id, producer_id, id);
create index submissions_by_line on submissions (org_id, line_of_business, id);
create index submissions_by_state on submissions (org_id, state, id);
create index submissions_by_creation on submissions (org_id, created_at);
create index submissions_by_insured on submissions (org_id, insured_name_normalized, state, line_of_business);`;

const QUOTES = `
create table quotes (
  id text collate "C" primary key,
  org_id text collate "C" not null,
  submission_id text collate "C" not null,
  quote_version int not null check (quote_version > 0),
  status text not null check (status in ('quoted', 'referred', 'accepted', 'superseded')),
  gross_premium_cents bigint not null check (gross_premium_cents >= 0),
  fees jsonb not null,
  taxes jsonb not null,
  total_due_cents bigint not null check (total_due_cents >= gross_premium_cents),
  da_flags jsonb not null,
  worksheet jsonb not null,
  installment_options jsonb not null,
  issued_on date not null,
  expires_on date not null check (expires_on >= issued_on),
  da_contract_id text collate "C",
  rate_table_id text collate "C",
  inputs jsonb not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint quotes_of_organization unique (org_id, id),
  constraint quotes_version_unique unique (org_id, submission_id, quote_version),
  foreign key (org_id, submission_id) references submissions (org_id, id) deferrable initially deferred,
  foreign key (org_id, da_contract_id) references da_contracts (org_id, id) deferrable initially deferred,
  foreign key (org_id, rate_table_id) references rate_tables (org_id, id) deferrable initially deferred
);
alter table submissions add foreign key (org_id, quote_id) references quotes (org_id, id)
  deferrable initially deferred;
call protect_tenant_table('quotes');`;

const REFERRALS = `
create table referrals (
  id text collate "C" primary key,
  org_id text collate "C" not null,
  submission_id text collate "C",
  policy_id text collate "C",
  quote_id text collate "C",
  deal_room_id text collate "C",
  reason text not null,
  flags jsonb not null default '[]',
  status text collate "C" not null default 'pending'
    check (status in ('pending', 'info_requested', 'approved', 'rejected', 'withdrawn')),
  requested_by text not null,
  decided_by text,
  decided_at timestamptz(3),
  notes text,
  conditions jsonb not null default '[]',
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint referrals_of_organization unique (org_id, id),
  constraint referrals_one_subject check (num_nonnulls(submission_id, policy_id) = 1),
  foreign key (org_id, submission_id) references submissions (org_id, id) deferrable initially deferred,
  foreign key (org_id, quote_id) references quotes (org_id, id) deferrable initially deferred
);
create unique index referrals_one_open_for_submission on referrals (org_id, submission_id)
  where status in ('pending', 'info_requested');
create unique index referrals_one_open_for_policy on referrals (org_id, policy_id)
  where status in ('pending', 'info_requested');
create index referrals_by_status on referrals (org_id, status, id);
call protect_tenant_table('referrals');`;
