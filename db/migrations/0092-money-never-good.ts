// What a payment that was never good leaves behind elsewhere: the money that other invoices had taken of it is taken
// back from them, and a check owed for several payments is owed for those that were good.
import { Migration } from '@mikro-orm/migrations';

export class MoneyNeverGood extends Migration {
  override readonly name = '0092-money-never-good';

  override up(): void {
    this.addSql(APPLICATIONS);
    this.addSql(DISBURSEMENTS);
  }
}

/** An application keeps what its invoice still has; what was taken back is kept beside it. */
const APPLICATIONS = `
alter table payments add column taken_back_cents bigint not null default 0 check (taken_back_cents >= 0),
  drop constraint payments_amount_check,
  add constraint payments_amount_check check (case
    when kind in ('card', 'manual') then amount_cents > 0 and applied_cents between 0 and amount_cents
    when kind = 'application' then amount_cents = 0 and applied_cents >= 0 and applied_cents + taken_back_cents > 0
      and invoice_id is not null
    else amount_cents < 0 end),
  add check (kind = 'application' or taken_back_cents = 0);
grant update (taken_back_cents) on payments to bindery_app;`;

/** The owner bypasses the protection of the table for what was cancelled before. */
const DISBURSEMENTS = `
alter table disbursements add column cancelled_cents bigint not null default 0,
  add check (cancelled_cents between 0 and amount_cents);
alter table disbursements no force row level security;
update disbursements set cancelled_cents = amount_cents where status = 'cancelled';
alter table disbursements force row level security;
alter table disbursements add check ((status = 'cancelled') = (cancelled_cents = amount_cents)),
  drop constraint disbursements_cancelled_on_day,
  add constraint disbursements_cancelled_on_day check ((cancelled_cents > 0) = (cancelled_on is not null));
grant update (cancelled_cents) on disbursements to bindery_app;`;
