// What leaves the trust for its owners, the ledger lines that each remittance covers, and what a payee
// owes back because a return came after they were paid.
import { Migration } from '@mikro-orm/migrations';

export class Remittances extends Migration {
  override readonly name = '0081-remittances';

  override up(): void {
    this.addSql(REMITTANCES);
    this.addSql(LINES);
    this.addSql(SHORTFALLS);
  }
}

/** `payee` is the id of a producer, the name of a carrier, the code of a state, or empty: we ourselves. */
const REMITTANCES = `
create table remittances (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  kind text collate "C" not null check (kind in ('commission', 'carrier', 'tax', 'stamping', 'transfer')),
  payee text collate "C" not null,
  filing_id text collate "C",
  through date not null,
  amount_cents bigint not null check (amount_cents > 0),
  netted_cents bigint not null check (netted_cents >= 0),
  cash_cents bigint not null check (cash_cents >= 0),
  parts jsonb not null,
  status text collate "C" not null check (status in ('pending_approval', 'paid', 'rejected')),
  prepared_by text not null,
  decided_by text,
  decided_at timestamptz(3),
  rejection_reason text,
  paid_on date,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint remittances_of_organization unique (org_id, id),
  check ((status = 'pending_approval') = (decided_by is null)),
  check ((status = 'paid') = (paid_on is not null)),
  check (decided_by <> prepared_by),
  check (filing_id is null or kind in ('tax', 'stamping')),
  check (kind <> 'transfer' or payee = ''),
  foreign key (org_id, filing_id) references filings (org_id, id) deferrable initially deferred
);
create unique index remittances_of_filing_once on remittances (org_id, filing_id, kind)
  where filing_id is not null and status <> 'rejected';
create index remittances_of_payee on remittances (org_id, kind, payee, id);
call protect_tenant_table('remittances');
revoke update, delete on remittances from bindery_app;
grant update (status, decided_by, decided_at, rejection_reason, paid_on, version, updated_at)
  on remittances to bindery_app;`;

/** A line of the ledger is paid once: a rejected remittance releases its lines. */
const LINES = `
create table remittance_lines (
  org_id text collate "C" not null,
  remittance_id text collate "C" not null,
  line_id text collate "C" not null,
  invoice_id text collate "C" not null,
  account int not null,
  amount_cents bigint not null check (amount_cents <> 0),
  released boolean not null default false,
  primary key (org_id, remittance_id, line_id),
  foreign key (org_id, remittance_id) references remittances (org_id, id) deferrable initially deferred,
  foreign key (org_id, invoice_id) references invoices (org_id, id) deferrable initially deferred,
  foreign key (line_id) references ledger_lines (id) deferrable initially deferred
);
create unique index remittance_lines_once on remittance_lines (org_id, line_id) where not released;
create index remittance_lines_of_invoice on remittance_lines (org_id, invoice_id);
call protect_tenant_table('remittance_lines');
revoke update, delete on remittance_lines from bindery_app;
grant update (released) on remittance_lines to bindery_app;`;

const SHORTFALLS = `
create table trust_shortfalls (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  kind text collate "C" not null check (kind in ('commission', 'carrier', 'transfer')),
  payee text collate "C" not null,
  account int not null,
  amount_cents bigint not null check (amount_cents > 0),
  invoice_id text collate "C" not null,
  arose_on date not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint trust_shortfalls_of_organization unique (org_id, id),
  foreign key (org_id, invoice_id) references invoices (org_id, id) deferrable initially deferred
);
create index trust_shortfalls_of_payee on trust_shortfalls (org_id, kind, payee, id);
call protect_tenant_table('trust_shortfalls');
revoke update, delete on trust_shortfalls from bindery_app;`;
