// Money: what is taken and given back, its double entry, commission, and the events of the card processor.
import { Migration } from '@mikro-orm/migrations';

export class Money extends Migration {
  override readonly name = '0008-money';

  override up(): void {
    this.addSql(COMMISSION_TERMS);
    this.addSql(INVOICE_REISSUE);
    this.addSql(PAYMENTS);
    this.addSql(PAYMENT_INTENTS);
    this.addSql(FIND_PAYMENT_INTENT);
    this.addSql(INBOUND_EVENTS);
    this.addSql(LEDGER_ACCOUNTS);
    this.addSql(LEDGER_ENTRIES);
    this.addSql(LEDGER_LINES);
    this.addSql(BALANCED_ENTRIES);
    this.addSql(COMMISSION_RECORDS);
    this.addSql(TRUST_RECONCILIATIONS);
  }
}

/**
 * The rates of a transaction are fixed when it is issued, by the producer's premium issued before. What was issued
 * before this column was there is given its producer; the owner bypasses the protection of the tables for that one
 * statement.
 */
const COMMISSION_TERMS = `
alter table policy_transactions add column producer_id text collate "C", add column commission jsonb;
alter table policies no force row level security;
alter table policy_transactions no force row level security, disable trigger append_only;
update policy_transactions t set producer_id = p.producer_id from policies p where p.id = t.policy_id;
alter table policy_transactions force row level security, enable trigger append_only;
alter table policies force row level security;
create index policy_transactions_of_producer on policy_transactions (org_id, producer_id, issued_on)
  include (premium_change_cents) where producer_id is not null;`;

/**
 * A void invoice is billed again once, by the invoice that names it. What was refunded before an invoice was fully paid
 * has to be paid once more; what is refunded later has not.
 */
const INVOICE_REISSUE = `
alter table invoices add column reissue_of text collate "C",
  add column refunded_before_paid_cents bigint not null default 0
    check (refunded_before_paid_cents between 0 and refunded_cents),
  add foreign key (org_id, reissue_of) references invoices (org_id, id) deferrable initially deferred;
create unique index invoices_reissued_once on invoices (org_id, reissue_of) where reissue_of is not null;
drop index invoices_owed;
create index invoices_owed on invoices (org_id, due_date, id) where voided_at is null and uncollectible_at is null
  and paid_cents - refunded_before_paid_cents < total_cents;
create index invoices_of_transaction on invoices (org_id, transaction_id);`;

/**
 * Receipts are positive, refunds and chargebacks negative. \`applied_cents\` is what the invoice took of it; the rest
 * of a receipt is unapplied. Money that matches no invoice has none.
 */
const PAYMENTS = `
create table payments (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  invoice_id text collate "C",
  policy_id text collate "C",
  kind text collate "C" not null check (kind in ('card', 'manual', 'refund', 'chargeback')),
  amount_cents bigint not null check (amount_cents <> 0),
  applied_cents bigint not null,
  method text collate "C" not null check (method in ('card', 'check', 'ach', 'wire', 'cash')),
  reference text collate "C" not null,
  status text collate "C" not null check (status in ('pending', 'succeeded', 'failed')),
  received_at timestamptz(3) not null,
  received_on date not null,
  before_paid_cents bigint not null default 0 check (before_paid_cents between 0 and -least(applied_cents, 0)),
  completes_invoice boolean not null default false,
  processor_refunded_cents bigint not null default 0 check (processor_refunded_cents >= 0),
  charge_id text collate "C",
  allocations jsonb not null default '[]',
  reason text,
  requires_manual_review boolean not null default false,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint payments_of_organization unique (org_id, id),
  check (case when kind in ('card', 'manual') then amount_cents > 0 and applied_cents between 0 and amount_cents
    else amount_cents < 0 end),
  foreign key (org_id, invoice_id) references invoices (org_id, id) deferrable initially deferred,
  foreign key (org_id, policy_id) references policies (org_id, id) deferrable initially deferred
);
create unique index payments_card_once on payments (org_id, reference) where kind = 'card';
create unique index payments_manual_once on payments (org_id, invoice_id, method, reference) where kind = 'manual';
create unique index payments_returned_once on payments (org_id, kind, reference) where kind in ('refund', 'chargeback');
create index payments_of_invoice on payments (org_id, invoice_id, id);
create index payments_of_charge on payments (org_id, charge_id) where charge_id is not null;
create index payments_by_day on payments (org_id, received_on);
call protect_tenant_table('payments');`;

const PAYMENT_INTENTS = `
create table payment_intents (
  id text collate "C" primary key,
  org_id text collate "C" not null,
  invoice_id text collate "C" not null,
  attempt int not null check (attempt > 0),
  amount_cents bigint not null check (amount_cents > 0),
  processor_id text collate "C" constraint payment_intents_processor_unique unique,
  status text collate "C" not null check (status in ('creating', 'open', 'succeeded', 'failed', 'cancelled')),
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint payment_intents_attempt_unique unique (org_id, invoice_id, attempt),
  foreign key (org_id, invoice_id) references invoices (org_id, id) deferrable initially deferred
);
call protect_tenant_table('payment_intents');`;

/** An event of the processor names its intent and nothing else that can be trusted: the intent says whose it is. */
const FIND_PAYMENT_INTENT = `
create policy lookup_by_processor_id on payment_intents for select to current_user using (true);
create function find_payment_intent(processor_key text) returns table (org_id text, invoice_id text)
  language sql stable security definer set search_path = ''
  as 'select org_id, invoice_id from public.payment_intents where processor_id = processor_key';
revoke all on function find_payment_intent(text) from public;
grant execute on function find_payment_intent(text) to bindery_app, bindery_ops;`;

/** Written in the transaction of what the event brought about. Its organization may be the installation itself. */
const INBOUND_EVENTS = `
create table inbound_events (
  id text collate "C" not null,
  provider text collate "C" not null,
  org_id text collate "C" not null,
  type text collate "C" not null,
  outcome text not null,
  payment_id text collate "C",
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (provider, id)
);
create index inbound_events_newest on inbound_events (org_id, created_at);
call protect_tenant_table('inbound_events');
call make_append_only('inbound_events');`;

/**
 * The chart of accounts: domain.md 4.1. An account belongs to one ledger, so no entry can cross from trust money to our
 * own.
 */
const LEDGER_ACCOUNTS = `
create table ledger_accounts (
  account int primary key,
  name text not null,
  kind text not null check (kind in ('asset', 'liability', 'revenue', 'expense')),
  ledger text not null check (ledger in ('fiduciary', 'general')),
  unique (account, ledger)
);
insert into ledger_accounts (account, name, kind, ledger) values
  (1010, 'Premium Trust Cash', 'asset', 'fiduciary'),
  (1020, 'Claims Fund Cash', 'asset', 'fiduciary'),
  (1030, 'Operating Cash', 'asset', 'general'),
  (1100, 'Premiums Receivable', 'asset', 'fiduciary'),
  (1110, 'Card Processor Clearing', 'asset', 'fiduciary'),
  (1120, 'Commission Due from Trust', 'asset', 'general'),
  (1130, 'Agent Commission Chargeback Receivable', 'asset', 'general'),
  (1200, 'Due from Carrier', 'asset', 'fiduciary'),
  (2010, 'Premium Payable to Carrier', 'liability', 'fiduciary'),
  (2020, 'Agent Commission Payable', 'liability', 'fiduciary'),
  (2030, 'MGA Commission held in Trust', 'liability', 'fiduciary'),
  (2040, 'Surplus Lines Tax Payable', 'liability', 'fiduciary'),
  (2050, 'Stamping Fee Payable', 'liability', 'fiduciary'),
  (2060, 'Return Premium Payable', 'liability', 'fiduciary'),
  (2070, 'Unapplied Cash', 'liability', 'fiduciary'),
  (2080, 'Claims Fund held for Carrier', 'liability', 'fiduciary'),
  (2090, 'Policy Fees held in Trust', 'liability', 'fiduciary'),
  (4010, 'MGA Commission Income', 'revenue', 'general'),
  (4020, 'Policy Fee Income', 'revenue', 'general'),
  (5010, 'Card Processing Expense', 'expense', 'general');
grant select on ledger_accounts to bindery_app, bindery_ops;`;

const LEDGER_ENTRIES = `
create table ledger_entries (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  ledger text collate "C" not null check (ledger in ('fiduciary', 'general')),
  entry_type text collate "C" not null,
  source_type text collate "C" not null,
  source_id text collate "C" not null,
  reverses_entry_id text collate "C",
  date date not null,
  description text not null,
  policy_id text collate "C",
  invoice_id text collate "C",
  line_count int not null check (line_count >= 2),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint ledger_entries_of_organization unique (org_id, id),
  constraint ledger_entries_in_ledger unique (id, ledger),
  constraint ledger_entries_source_unique unique (org_id, source_type, source_id, entry_type),
  foreign key (org_id, invoice_id) references invoices (org_id, id) deferrable initially deferred,
  foreign key (org_id, policy_id) references policies (org_id, id) deferrable initially deferred,
  foreign key (org_id, reverses_entry_id) references ledger_entries (org_id, id) deferrable initially deferred
);
create unique index ledger_entries_reversed_once on ledger_entries (org_id, reverses_entry_id)
  where reverses_entry_id is not null and entry_type = 'reversal';
create index ledger_entries_of_invoice on ledger_entries (org_id, invoice_id, id);
create index ledger_entries_by_ledger on ledger_entries (org_id, ledger, id);
call protect_tenant_table('ledger_entries');
call make_append_only('ledger_entries');`;

const LEDGER_LINES = `
create table ledger_lines (
  id text collate "C" primary key,
  org_id text collate "C" not null,
  entry_id text collate "C" not null,
  ledger text collate "C" not null,
  account int not null,
  debit_cents bigint not null default 0 check (debit_cents >= 0),
  credit_cents bigint not null default 0 check (credit_cents >= 0),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((debit_cents > 0) <> (credit_cents > 0)),
  foreign key (org_id, entry_id) references ledger_entries (org_id, id) deferrable initially deferred,
  foreign key (entry_id, ledger) references ledger_entries (id, ledger) deferrable initially deferred,
  foreign key (account, ledger) references ledger_accounts (account, ledger)
);
create index ledger_lines_of_account on ledger_lines (org_id, account, entry_id) include (debit_cents, credit_cents);
create index ledger_lines_of_entry on ledger_lines (org_id, entry_id);
call protect_tenant_table('ledger_lines');
call make_append_only('ledger_lines');`;

/** An entry has the lines it says and they balance, seen at the commit: neither can a line be added to it later. */
const BALANCED_ENTRIES = `
create function check_entry_balance() returns trigger language plpgsql as $$
declare
  entry text := case tg_table_name when 'ledger_entries' then new.id else to_jsonb(new) ->> 'entry_id' end;
  stated int;
  counted int;
  difference numeric;
begin
  select line_count into stated from ledger_entries where id = entry and org_id = new.org_id;
  select count(*), coalesce(sum(debit_cents - credit_cents), 0) into counted, difference
    from ledger_lines where entry_id = entry and org_id = new.org_id;
  if counted is distinct from stated or difference <> 0 then
    raise exception 'ledger entry % does not balance', entry using errcode = 'check_violation',
      constraint = 'ledger_entries_balance';
  end if;
  return null;
end
$$;
create constraint trigger balance after insert on ledger_entries deferrable initially deferred
  for each row execute function check_entry_balance();
create constraint trigger balance after insert on ledger_lines deferrable initially deferred
  for each row execute function check_entry_balance();`;

const COMMISSION_RECORDS = `
create table commission_records (
  id text collate "C" primary key,
  org_id text collate "C" not null,
  type text collate "C" not null check (type in ('earned', 'reversal')),
  reverses_id text collate "C",
  policy_id text collate "C" not null,
  invoice_id text collate "C" not null,
  producer_id text collate "C" not null,
  source_type text collate "C" not null,
  source_id text collate "C" not null,
  gross_premium_cents bigint not null,
  agent_commission_cents bigint not null,
  mga_commission_cents bigint not null,
  carrier_net_cents bigint not null,
  tier int not null,
  rates jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint commission_records_of_organization unique (org_id, id),
  constraint commission_records_source_unique unique (org_id, invoice_id, source_type, source_id),
  check (gross_premium_cents = agent_commission_cents + mga_commission_cents + carrier_net_cents),
  check ((type = 'reversal') = (reverses_id is not null)),
  foreign key (org_id, reverses_id) references commission_records (org_id, id) deferrable initially deferred,
  foreign key (org_id, policy_id) references policies (org_id, id) deferrable initially deferred,
  foreign key (org_id, invoice_id) references invoices (org_id, id) deferrable initially deferred,
  foreign key (org_id, producer_id) references producers (org_id, id) deferrable initially deferred
);
create index commission_records_of_producer on commission_records (org_id, producer_id, id);
create index commission_records_of_policy on commission_records (org_id, policy_id, id);
call protect_tenant_table('commission_records');
call make_append_only('commission_records');`;

const TRUST_RECONCILIATIONS = `
create table trust_reconciliations (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  date date not null,
  is_clean boolean not null,
  figures jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint trust_reconciliations_once_a_day unique (org_id, date)
);
call protect_tenant_table('trust_reconciliations');`;
