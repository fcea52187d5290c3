// Bordereaux: the monthly reports to carriers, each run a version of its own. Their due dates are filings that belong
// to a carrier.
import { Migration } from '@mikro-orm/migrations';

export class Bordereaux extends Migration {
  override readonly name = '0084-bordereaux';

  override up(): void {
    this.addSql(BORDEREAUX);
    this.addSql(FILINGS_OF_CARRIERS);
    this.addSql(SETTLED_ENTRIES);
  }
}

/** A version is written while it runs, and stays as it is after that. Of a report one version runs at a time. */
const BORDEREAUX = `
create table bordereaux (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  carrier text not null,
  month text collate "C" not null check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  kind text collate "C" not null check (kind in ('premium', 'claims', 'risk')),
  version int not null check (version > 0),
  status text collate "C" not null check (status in ('running', 'completed', 'failed')),
  through date not null,
  row_count int check (row_count >= 0),
  totals jsonb,
  differences jsonb,
  failure text collate "C",
  created_by text not null,
  completed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint bordereaux_of_organization unique (org_id, id),
  constraint bordereaux_version_once unique (org_id, carrier, month, kind, version),
  check ((status = 'completed') = (num_nonnulls(completed_at, row_count, totals) = 3))
);
create unique index bordereaux_running_once on bordereaux (org_id, carrier, month, kind) where status = 'running';
create index bordereaux_newest on bordereaux (org_id, id);
call protect_tenant_table('bordereaux');
revoke update, delete on bordereaux from bindery_app;
grant update (status, row_count, totals, differences, failure, completed_at, updated_at) on bordereaux to bindery_app;`;

/** Such a filing is for a month and has no state. */
const FILINGS_OF_CARRIERS = `
alter table filings
  alter column state drop not null,
  add column carrier text,
  add column period text collate "C",
  drop constraint filings_of_policy_or_producer,
  add constraint filings_of_one_subject check (num_nonnulls(policy_id, producer_id, carrier) = 1),
  add constraint filings_of_carrier_have_period check ((carrier is null) = (period is null)),
  add constraint filings_have_state check (state is not null or carrier is not null);
create unique index filings_of_carrier on filings (org_id, carrier, kind, period) where carrier is not null;`;

/** By which the settled premium of a month is found. */
const SETTLED_ENTRIES = `
create index ledger_entries_shared on ledger_entries (org_id, date)
  where ledger = 'fiduciary' and policy_id is not null;`;
