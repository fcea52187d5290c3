// Statements of the bank for the trust account, their bookings, and which movement of account 1010 each booking is.
import { Migration } from '@mikro-orm/migrations';

export class BankStatements extends Migration {
  override readonly name = '0135-bank-statements';

  override up(): void {
    this.addSql(STATEMENTS);
    this.addSql(LINES);
    this.addSql(MATCHES);
  }
}

/** The same file is one statement; one that was withdrawn may come again. */
const STATEMENTS = `
create table bank_statements (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  format text collate "C" not null check (format in ('csv', 'camt.053')),
  number text,
  account text not null,
  account_hash text collate "C",
  from_date date not null,
  to_date date not null,
  opening_cents bigint,
  closing_cents bigint,
  line_count int not null check (line_count >= 0),
  new_line_count int not null check (new_line_count between 0 and line_count),
  file_name text,
  sha256 text collate "C" not null,
  uploaded_by text not null,
  withdrawn_by text,
  withdrawn_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint bank_statements_of_organization unique (org_id, id),
  check (from_date <= to_date),
  check ((withdrawn_by is null) = (withdrawn_at is null))
);
create unique index bank_statements_once on bank_statements (org_id, sha256) where withdrawn_at is null;
create index bank_statements_newest on bank_statements (org_id, id);
call protect_tenant_table('bank_statements');
revoke update, delete on bank_statements from bindery_app;
grant update (withdrawn_by, withdrawn_at, updated_at) on bank_statements to bindery_app;`;

/** A booking stands in one statement: another one that repeats it adds nothing. Withdrawn ones count nowhere. */
const LINES = `
create table bank_lines (
  id text collate "C" primary key,
  org_id text collate "C" not null,
  bank_statement_id text collate "C" not null,
  bank_id text,
  booked_on date not null,
  amount_cents bigint not null check (amount_cents <> 0),
  reference text not null,
  description text not null,
  match_rule text collate "C" check (match_rule in ('reference', 'amount', 'person')),
  matched_by text,
  matched_at timestamptz(3),
  withdrawn boolean not null default false,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint bank_lines_of_organization unique (org_id, id),
  check ((match_rule is null) = (matched_at is null)),
  check (match_rule is null or not withdrawn),
  check ((match_rule = 'person') = (matched_by is not null)),
  foreign key (org_id, bank_statement_id) references bank_statements (org_id, id) deferrable initially deferred
);
create index bank_lines_of_statement on bank_lines (org_id, bank_statement_id, id);
create index bank_lines_open on bank_lines (org_id, id) where match_rule is null and not withdrawn;
create index bank_lines_by_day on bank_lines (org_id, booked_on) where not withdrawn;
call protect_tenant_table('bank_lines');
revoke update, delete on bank_lines from bindery_app;
grant update (match_rule, matched_by, matched_at, withdrawn, version, updated_at) on bank_lines to bindery_app;`;

/** A movement is one booking: what a person takes back releases it. */
const MATCHES = `
create table bank_matches (
  id text collate "C" primary key,
  org_id text collate "C" not null,
  bank_line_id text collate "C" not null,
  ledger_line_id text collate "C" not null references ledger_lines (id) deferrable initially deferred,
  amount_cents bigint not null check (amount_cents <> 0),
  released boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint bank_matches_of_organization unique (org_id, id),
  foreign key (org_id, bank_line_id) references bank_lines (org_id, id) deferrable initially deferred
);
create unique index bank_matches_once on bank_matches (org_id, ledger_line_id) where not released;
create index bank_matches_of_line on bank_matches (org_id, bank_line_id) where not released;
call protect_tenant_table('bank_matches');
revoke update, delete on bank_matches from bindery_app;
grant update (released, updated_at) on bank_matches to bindery_app;`;
