// What the organization may bind and what it charges; who sells for it; and the reference data of the installation.
import { Migration } from '@mikro-orm/migrations';

export class AuthorityAndRates extends Migration {
  override readonly name = '0003-authority-and-rates';

  override up(): void {
    this.addSql(DA_CONTRACTS);
    this.addSql(DA_USAGE);
    this.addSql(RATE_TABLES);
    this.addSql(COMMISSION_SCHEDULES);
    this.addSql(PRODUCERS);
    this.addSql(APPOINTMENTS);
    this.addSql(REFERENCE);
  }
}

const DA_CONTRACTS = `
create table da_contracts (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  carrier text not null,
  year int check (year between 2000 and 2200),
  status text not null check (status in ('draft', 'active', 'suspended', 'expired', 'terminated')),
  max_policy_limit_cents bigint not null check (max_policy_limit_cents >= 0),
  max_premium_cents bigint not null check (max_premium_cents >= 0),
  max_annual_revenue_cents bigint not null check (max_annual_revenue_cents >= 0),
  max_annual_premium_volume_cents bigint not null check (max_annual_premium_volume_cents >= 0),
  lines_of_business jsonb not null,
  states jsonb not null,
  prohibited_naics jsonb not null default '[]',
  refer_naics jsonb not null default '[]',
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint da_contracts_of_organization unique (org_id, id)
);
call protect_tenant_table('da_contracts');`;

/** Never below zero: what is given back was used before. */
const DA_USAGE = `
create table da_usage (
  org_id text collate "C" not null,
  contract_id text collate "C" not null,
  year int not null,
  used_cents bigint not null default 0 check (used_cents >= 0),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, contract_id, year),
  foreign key (org_id, contract_id) references da_contracts (org_id, id) deferrable initially deferred
);
call protect_tenant_table('da_usage');`;

const RATE_TABLES = `
create table rate_tables (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  line_of_business text collate "C" not null,
  effective_from date not null,
  "table" jsonb not null,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint rate_tables_of_organization unique (org_id, id)
);
create index rate_tables_in_force on rate_tables (org_id, line_of_business, effective_from desc, id desc);
call protect_tenant_table('rate_tables');`;

const COMMISSION_SCHEDULES = `
create table commission_schedules (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  line_of_business text collate "C" not null,
  effective_from date not null,
  schedule jsonb not null,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index commission_schedules_in_force
  on commission_schedules (org_id, line_of_business, effective_from desc, id desc);
call protect_tenant_table('commission_schedules');`;

const PRODUCERS = `
create table producers (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  name text collate "und-x-icu" not null,
  email text,
  phone text,
  npn text collate "C",
  status text collate "C" not null default 'pending' check (status in ('pending', 'active', 'suspended', 'terminated')),
  licenses jsonb not null default '[]',
  address jsonb,
  identity jsonb,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint producers_of_organization unique (org_id, id),
  constraint producers_npn_unique unique (org_id, npn)
);
create index producers_by_status on producers (org_id, status, id);
call protect_tenant_table('producers');`;

const APPOINTMENTS = `
create table appointments (
  id text collate "C" primary key,
  org_id text collate "C" not null,
  producer_id text collate "C" not null,
  state text collate "C" not null check (state ~ '^[A-Z]{2}$'),
  line_of_business text collate "C" not null,
  carrier text not null,
  status text not null default 'pending'
    check (status in ('pending', 'active', 'suspended', 'terminated', 'expired', 'rejected')),
  effective_date date,
  expiration_date date check (expiration_date >= effective_date),
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint appointments_unique unique (org_id, producer_id, state, line_of_business, carrier),
  foreign key (org_id, producer_id) references producers (org_id, id) deferrable initially deferred
);
create index appointments_newest on appointments (org_id, id);
call protect_tenant_table('appointments');`;

/** The same for every organization: the application reads it, operations keep it. */
const REFERENCE = `
create table surplus_lines_rates (
  state text collate "C" not null check (state ~ '^[A-Z]{2}$'),
  effective_from date not null,
  tax_rate text not null check (tax_rate ~ '^0(\\.[0-9]+)?$'),
  stamping_rate text not null check (stamping_rate ~ '^0(\\.[0-9]+)?$'),
  stamping_flat_cents bigint not null default 0 check (stamping_flat_cents >= 0),
  fire_rate text check (fire_rate ~ '^0(\\.[0-9]+)?$'),
  fee_taxable boolean not null,
  primary key (state, effective_from)
);
create table sanctions_entries (
  id text collate "C" primary key,
  name text not null,
  program text not null
);
grant select on surplus_lines_rates, sanctions_entries to bindery_app;
grant select, insert, update, delete on surplus_lines_rates, sanctions_entries to bindery_ops;`;
