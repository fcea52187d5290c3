// What each policy change did to the invoices, kept when the money moves; an endorsement may name one that it voids.
import { Migration } from '@mikro-orm/migrations';

export class TransactionBillings extends Migration {
  override readonly name = '0027-transaction-billings';

  override up(): void {
    this.addSql(TRANSACTION_BILLINGS);
    this.addSql(CREDITS_SO_FAR);
    this.addSql(REVERSES);
  }
}

/** A scheduled cancellation has none until its day, and its own row cannot change any more. */
const TRANSACTION_BILLINGS = `
create table transaction_billings (
  org_id text collate "C" not null,
  transaction_id text collate "C" not null,
  invoices jsonb not null,
  credits jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, transaction_id),
  foreign key (org_id, transaction_id) references policy_transactions (org_id, id) deferrable initially deferred
);
call protect_tenant_table('transaction_billings');`;

/** What transactions have kept until now says neither the kind nor the parts of a credit. */
const CREDITS_SO_FAR = `
alter table policy_transactions no force row level security;
alter table invoices no force row level security;
alter table transaction_billings no force row level security;
insert into transaction_billings (org_id, transaction_id, invoices, credits, created_at)
select t.org_id, t.id,
  (select coalesce(jsonb_agg(jsonb_build_object('invoiceId', i.id, 'dueDate', i.due_date,
      'totalCents', i.total_cents, 'changeCents', i.total_cents) order by i.due_date, i.id), '[]')
    from invoices i where i.org_id = t.org_id and t.invoice_ids ? i.id),
  (select coalesce(jsonb_agg(credit || '{"kind": "reduced", "parts": null}' order by place), '[]')
    from jsonb_array_elements(t.credits) with ordinality as each (credit, place)),
  t.created_at
from policy_transactions t
where t.type in ('endorsement', 'cancellation', 'reinstatement') and (t.credits <> '[]' or t.invoice_ids <> '[]');
alter table transaction_billings force row level security;
alter table invoices force row level security;
alter table policy_transactions force row level security;
call make_append_only('transaction_billings');
alter table policy_transactions drop column invoice_ids, drop column credits;`;

/** Nothing is voided twice. */
const REVERSES = `
alter table policy_transactions add column reverses text collate "C" check (type = 'endorsement' or reverses is null),
  add foreign key (org_id, reverses) references policy_transactions (org_id, id) deferrable initially deferred;
create unique index policy_transactions_reversed_once on policy_transactions (org_id, reverses)
  where reverses is not null;`;
