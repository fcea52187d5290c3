// Every run of the reconciliation keeps its result with its findings; the card processor's statement and the receipts'
// digests are what it holds the payments against.
import { Migration } from '@mikro-orm/migrations';

export class Reconciliations extends Migration {
  override readonly name = '0029-reconciliations';

  override up(): void {
    this.addSql(RUNS);
    this.addSql(CARD_STATEMENT_LINES);
    this.addSql(RECEIPT_DIGESTS);
    this.addSql(EVENTS_OF_POLICY);
    this.addSql(POLICIES_UNDER_CONTRACT);
  }
}

/** A run is started by a person or by the clock; `is_clean` is known when it has ended. */
const RUNS = `
alter table trust_reconciliations drop constraint trust_reconciliations_once_a_day,
  alter column is_clean drop not null,
  add column status text collate "C" not null default 'completed' check (status in ('running', 'completed')),
  add column liabilities jsonb not null default '[]',
  add column checks jsonb not null default '[]',
  add column finished_at timestamptz(3),
  add check ((status = 'completed') = (is_clean is not null));
create index trust_reconciliations_newest on trust_reconciliations (org_id, id);
grant update (status, liabilities, checks, finished_at) on trust_reconciliations to bindery_app;`;

/** What the card processor lists: a line follows its charge or refund, whose amount may still change. */
const CARD_STATEMENT_LINES = `
create table card_statement_lines (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  processor_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('charge', 'refund')),
  intent_id text collate "C" not null,
  amount_cents bigint not null check (amount_cents >= 0),
  occurred_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint card_statement_lines_once unique (org_id, processor_id)
);
create index card_statement_lines_newest on card_statement_lines (org_id, id);
create index card_statement_lines_of_intent on card_statement_lines (org_id, intent_id);
call protect_tenant_table('card_statement_lines');
revoke update, delete on card_statement_lines from bindery_app;
grant update (amount_cents, updated_at) on card_statement_lines to bindery_app;`;

/** Null until the receipt is stored, and for one that was stored before. */
const RECEIPT_DIGESTS = `
alter table payments add column receipt_sha256 text collate "C", add column receipt_bytes int;
grant update (receipt_sha256, receipt_bytes) on payments to bindery_app;`;

const EVENTS_OF_POLICY = `
create index events_of_policy on events (org_id, (data ->> 'policyId'), type) 
  where data ->> 'policyId' is not null;`;

const POLICIES_UNDER_CONTRACT = `
create index policies_under_contract on policies (org_id, da_contract_id, da_year, id) include (gross_premium_cents);`;
