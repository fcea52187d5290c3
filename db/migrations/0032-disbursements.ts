// What is owed back by check, as rows; and refunds that wait until somebody else approves them.
import { Migration } from '@mikro-orm/migrations';

export class Disbursements extends Migration {
  override readonly name = '0032-disbursements';

  override up(): void {
    this.addSql(DISBURSEMENTS);
    this.addSql(PAID_AT_ONCE);
    this.addSql(PROTECTION);
    this.addSql(APPROVAL);
  }
}

/** A refund owes one sum for all that did not come by card, and one for each card refund that failed. */
const DISBURSEMENTS = `
create table disbursements (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  refund_id text collate "C" not null,
  invoice_id text collate "C",
  policy_id text collate "C",
  payee text,
  cause text collate "C" not null check (cause in ('refund', 'card_refund_failed')),
  processor_refund_id text collate "C",
  amount_cents bigint not null check (amount_cents > 0),
  status text collate "C" not null check (status in ('pending', 'issued', 'cleared', 'stopped')),
  owed_on date not null,
  method text collate "C" check (method in ('check', 'transfer')),
  reference text collate "C",
  issues int not null default 0 check (issues >= 0),
  issued_on date,
  cleared_on date,
  stopped_on date,
  stop_reason text,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint disbursements_of_organization unique (org_id, id),
  check ((cause = 'card_refund_failed') = (processor_refund_id is not null)),
  check ((status = 'pending') = (issues = 0)),
  check (status = 'pending' or (method is not null and reference is not null and issued_on is not null)),
  foreign key (org_id, refund_id) references payments (org_id, id) deferrable initially deferred,
  foreign key (org_id, invoice_id) references invoices (org_id, id) deferrable initially deferred,
  foreign key (org_id, policy_id) references policies (org_id, id) deferrable initially deferred
);
create unique index disbursements_of_refund_once on disbursements (org_id, refund_id) where cause = 'refund';
create unique index disbursements_of_card_refund_once on disbursements (org_id, processor_refund_id)
  where processor_refund_id is not null;
create unique index disbursements_reference_once on disbursements (org_id, method, reference)
  where status in ('issued', 'cleared');
create index disbursements_by_status on disbursements (org_id, status, id);
create index disbursements_of_invoice on disbursements (org_id, invoice_id, id);
create index disbursements_of_policy on disbursements (org_id, policy_id, id);`;

/**
 * Refunds that were given before this table existed left the trust as they were posted; one that is not posted yet is
 * owed. The owner bypasses the protection of the tables for this statement.
 */
const PAID_AT_ONCE = `
alter table payments no force row level security;
alter table invoices no force row level security;
alter table ledger_entries no force row level security;
insert into disbursements (id, org_id, refund_id, invoice_id, policy_id, payee, cause, amount_cents, status, owed_on,
    method, reference, issues, issued_on)
  select 'dsb_' || substr(p.id, 5), p.org_id, p.id, p.invoice_id, p.policy_id, i.insured_name, 'refund', part.cents,
      case when e.id is null then 'pending' else 'issued' end, p.received_on,
      case when e.id is not null then 'check' end, case when e.id is not null then p.reference end,
      case when e.id is null then 0 else 1 end, e.date
    from payments p
    cross join lateral (
      select sum((each ->> 'amountCents')::bigint) as cents from jsonb_array_elements(p.allocations) each
        where each ->> 'method' <> 'card'
    ) part
    left join invoices i on i.org_id = p.org_id and i.id = p.invoice_id
    left join ledger_entries e on e.org_id = p.org_id and e.source_type = 'refund' and e.source_id = p.id
      and e.entry_type = 'payout'
    where p.kind = 'refund' and p.status = 'succeeded' and part.cents > 0;
alter table payments force row level security;
alter table invoices force row level security;
alter table ledger_entries force row level security;`;

/** What is owed, to whom and for what stays as it was written. */
const PROTECTION = `
call protect_tenant_table('disbursements');
revoke update, delete on disbursements from bindery_app;
grant update (status, method, reference, issues, issued_on, cleared_on, stopped_on, stop_reason, version, updated_at)
  on disbursements to bindery_app;`;

/** Who requested a refund that needs approval, and who decided. */
const APPROVAL = `
alter table payments drop constraint payments_status_check,
  add constraint payments_status_check check (status in ('pending_approval', 'pending', 'succeeded', 'failed')),
  add column approval jsonb;
grant update (approval) on payments to bindery_app;
create index payments_to_approve on payments (org_id, id) where status = 'pending_approval';`;
