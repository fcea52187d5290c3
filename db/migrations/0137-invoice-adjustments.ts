// What each invoice claims of its policy, day by day: how it was made is on the invoice, every later change is a row
// here. Statements of account are sums of these rows and of payments.
import { Migration } from '@mikro-orm/migrations';

export class InvoiceAdjustments extends Migration {
  override readonly name = '0137-invoice-adjustments';

  override up(): void {
    this.addSql(ADJUSTMENTS);
    this.addSql(TAKE_BACKS);
    this.addSql(CLAIM);
    this.addSql(ADJUSTMENTS_SO_FAR);
    this.addSql("call make_append_only('invoice_adjustments')");
    this.addSql(KEEP);
  }
}

const ADJUSTMENTS = `
create table invoice_adjustments (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  policy_id text collate "C" not null,
  invoice_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('change', 'void', 'restored', 'write_off', 'recovery', 'returned')),
  amount_cents bigint not null check (amount_cents <> 0),
  transaction_id text collate "C",
  adjusted_on date not null default business_date(),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint invoice_adjustments_of_organization unique (org_id, id),
  foreign key (org_id, policy_id) references policies (org_id, id) deferrable initially deferred,
  foreign key (org_id, invoice_id) references invoices (org_id, id) deferrable initially deferred
);
create index invoice_adjustments_by_policy on invoice_adjustments (org_id, policy_id);
create index invoice_adjustments_by_invoice on invoice_adjustments (org_id, invoice_id);
call protect_tenant_table('invoice_adjustments');`;

/**
 * On which days an application gave up what was taken back of it: a statement of earlier days does not change. Of older
 * rows the day of the last return of their receipt is known.
 */
const TAKE_BACKS = `
alter table payments add column take_backs jsonb not null default '[]',
  add check (kind = 'application' or take_backs = '[]');
grant update (take_backs) on payments to bindery_app;
alter table payments no force row level security;
update payments a set take_backs = jsonb_build_array(jsonb_build_object(
    'at', a.updated_at, 'amountCents', a.taken_back_cents,
    'on', coalesce((select max(r.received_on) from payments r
      where r.org_id = a.org_id and r.kind in ('chargeback', 'reversal') and r.status = 'succeeded'
        and r.allocations @> jsonb_build_array(jsonb_build_object('paymentId', a.source_payment_id))),
      (a.updated_at at time zone 'UTC')::date)))
  where a.taken_back_cents > 0;
alter table payments force row level security;`;

/**
 * What an invoice claims, whether it was paid or not: its balance and the money that it holds. A payment does not
 * change it, nor does a refund that must be paid again. The balance is that of domain/billing/invoice.ts; nobody
 * expects the one that was written off.
 */
const CLAIM = `
create function invoice_claim(total bigint, paid bigint, refunded bigint, paid_again bigint, is_off boolean)
  returns bigint language sql immutable as $$
  select case when is_off or paid - paid_again >= total then 0 else total - paid + paid_again end + paid - refunded
$$;`;

/**
 * Nobody knows any more on which day older rows changed: returns, voids and write-offs say when, to the day. A table
 * whose new rows are still to be checked cannot be altered.
 */
export const ADJUSTMENTS_SO_FAR = `
alter table invoices no force row level security;
alter table payments no force row level security;
alter table invoice_adjustments no force row level security;
insert into invoice_adjustments (id, org_id, policy_id, invoice_id, kind, amount_cents, transaction_id, adjusted_on)
select new_type_id('iad'), i.org_id, i.policy_id, i.id, 'returned', r.applied_cents + r.before_paid_cents,
    r.policy_transaction_id, r.received_on
  from payments r join invoices i on i.org_id = r.org_id and i.id = r.invoice_id
  where r.kind in ('refund', 'chargeback', 'reversal') and r.status = 'succeeded'
    and r.applied_cents + r.before_paid_cents <> 0;
insert into invoice_adjustments (id, org_id, policy_id, invoice_id, kind, amount_cents, transaction_id, adjusted_on)
select new_type_id('iad'), org_id, policy_id, id, case when voided_at is null then 'write_off' else 'void' end, cents,
    voided_by, (coalesce(voided_at, uncollectible_at) at time zone 'UTC')::date
  from (
    select i.*, invoice_claim(total_cents, paid_cents, refunded_cents, refunded_before_paid_cents, true) - total_cents
        - coalesce((select sum(a.amount_cents) from invoice_adjustments a
            where a.org_id = i.org_id and a.invoice_id = i.id), 0) as cents
      from invoices i where coalesce(voided_at, uncollectible_at) is not null and rest_of is null
  ) off where cents <> 0;
set constraints all immediate;
set constraints all deferred;
alter table invoice_adjustments force row level security;
alter table payments force row level security;
alter table invoices force row level security;`;

/** The database sees every change, whichever step makes it. The last line names the transaction that has added it. */
const KEEP = `
create function keep_invoice_adjustment() returns trigger language plpgsql set search_path = public as $$
declare
  cents bigint := invoice_claim(new.total_cents, new.paid_cents, new.refunded_cents, new.refunded_before_paid_cents,
      new.voided_at is not null or new.uncollectible_at is not null)
    - invoice_claim(old.total_cents, old.paid_cents, old.refunded_cents, old.refunded_before_paid_cents,
      old.voided_at is not null or old.uncollectible_at is not null);
  added text := case when jsonb_array_length(new.lines) > jsonb_array_length(old.lines)
    then new.lines -> -1 ->> 'transactionId' end;
begin
  if cents = 0 then
    return null;
  end if;
  insert into invoice_adjustments (id, org_id, policy_id, invoice_id, kind, amount_cents, transaction_id)
  values (new_type_id('iad'), new.org_id, new.policy_id, new.id,
    case
      when old.voided_at is null and new.voided_at is not null then 'void'
      when old.voided_at is not null and new.voided_at is null then 'restored'
      when old.uncollectible_at is null and new.uncollectible_at is not null then 'write_off'
      when new.total_cents <> old.total_cents then 'change'
      when new.refunded_cents <> old.refunded_cents then 'returned'
      when old.uncollectible_at is not null then 'recovery'
      else 'restored'
    end,
    cents, coalesce(added, case when old.voided_at is null then new.voided_by end));
  return null;
end
$$;
create trigger keep_invoice_adjustment after update of total_cents, paid_cents, refunded_cents,
    refunded_before_paid_cents, voided_at, uncollectible_at on invoices for each row
  execute function keep_invoice_adjustment();`;
