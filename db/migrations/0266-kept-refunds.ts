// Money that is owed back by check and has not been paid out can stay with us, as a receipt that holds it unapplied.
import { Migration } from '@mikro-orm/migrations';

export class KeptRefunds extends Migration {
  override readonly name = '0266-kept-refunds';

  override up(): void {
    this.addSql(KEPT);
  }
}

const KEPT = `
alter table disbursements add column kept_cents bigint not null default 0,
  add constraint disbursements_kept check (kept_cents between 0 and cancelled_cents);
grant update (kept_cents) on disbursements to bindery_app;
alter table payments drop constraint payments_method_check, add constraint payments_method_check
  check (method in ('card', 'check', 'ach', 'wire', 'cash', 'kept_refund'));`;
