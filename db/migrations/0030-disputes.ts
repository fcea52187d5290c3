// Disputes of card payments and reversals of other payments: how far a dispute is, what operating money covers, and the
// accounts for it. Contract 3.4, domain facts 4.1.
import { Migration } from '@mikro-orm/migrations';

export class Disputes extends Migration {
  override readonly name = '0030-disputes';

  override up(): void {
    this.addSql(RETURNS);
    this.addSql(INVOICES);
    this.addSql(ACCOUNTS);
    this.addSql(GRANTS);
  }
}

/** A payment is reversed once. */
const RETURNS = `
alter table payments drop constraint payments_kind_check,
  add constraint payments_kind_check check (kind in ('card', 'manual', 'refund', 'chargeback', 'reversal')),
  add column dispute jsonb,
  add column covered_cents bigint not null default 0 check (covered_cents between 0 and greatest(-amount_cents, 0));
create unique index payments_reversed_once on payments (org_id, (allocations -> 0 ->> 'paymentId'))
  where kind = 'reversal';`;

const INVOICES = 'alter table invoices add column disputed boolean not null default false;';

const ACCOUNTS = `
insert into ledger_accounts (account, name, kind, ledger) values
  (1040, 'Due from Operating', 'asset', 'fiduciary'),
  (2110, 'Due to Trust', 'liability', 'general'),
  (5020, 'Chargeback Losses', 'expense', 'general');`;

const GRANTS = `
grant update (dispute, covered_cents) on payments to bindery_app;
grant update (disputed) on invoices to bindery_app;`;
