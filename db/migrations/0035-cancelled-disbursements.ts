// What is owed by check for a payment that was never good is cancelled.
import { Migration } from '@mikro-orm/migrations';

export class CancelledDisbursements extends Migration {
  override readonly name = '0035-cancelled-disbursements';

  override up(): void {
    this.addSql(CANCELLED);
  }
}

/** One that was stopped before it was cancelled has been issued once. */
const CANCELLED = `
alter table disbursements drop constraint disbursements_status_check,
  drop constraint disbursements_check1, drop constraint disbursements_check2,
  add column cancelled_on date, add column cancel_reason text,
  add constraint disbursements_status_check
    check (status in ('pending', 'issued', 'cleared', 'stopped', 'cancelled')),
  add constraint disbursements_issued_by_status check (case status
    when 'pending' then issues = 0 when 'cancelled' then true else issues > 0 end),
  add constraint disbursements_issue_named
    check (issues = 0 or (method is not null and reference is not null and issued_on is not null)),
  add constraint disbursements_cancelled_on_day check ((status = 'cancelled') = (cancelled_on is not null));
grant update (cancelled_on, cancel_reason) on disbursements to bindery_app;`;
