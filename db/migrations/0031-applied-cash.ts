// Unapplied money is applied to an invoice later by a row of its own. That row is no receipt, so its amount is nothing,
// and it names the receipt that it takes from. Indexes find the returns of a policy and receipts with money left.
import { Migration } from '@mikro-orm/migrations';

export class AppliedCash extends Migration {
  override readonly name = '0031-applied-cash';

  override up(): void {
    this.addSql(APPLICATIONS);
    this.addSql(INDEXES);
  }
}

const APPLICATIONS = `
alter table payments add column source_payment_id text collate "C",
  drop constraint payments_kind_check, drop constraint payments_amount_cents_check, drop constraint payments_check1,
  add constraint payments_kind_check
    check (kind in ('card', 'manual', 'application', 'refund', 'chargeback', 'reversal')),
  add constraint payments_amount_check check (case
    when kind in ('card', 'manual') then amount_cents > 0 and applied_cents between 0 and amount_cents
    when kind = 'application' then amount_cents = 0 and applied_cents > 0 and invoice_id is not null
    else amount_cents < 0 end),
  add check ((kind = 'application') = (source_payment_id is not null)),
  add foreign key (org_id, source_payment_id) references payments (org_id, id) deferrable initially deferred;`;

const INDEXES = `
create index payments_of_source on payments (org_id, source_payment_id) where source_payment_id is not null;
create index payments_of_policy on payments (org_id, policy_id, id);
create index payments_unapplied on payments (org_id, id)
  where kind in ('card', 'manual') and amount_cents > applied_cents;`;
