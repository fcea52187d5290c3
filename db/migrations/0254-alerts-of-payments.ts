// Finds the alerts about a payment or a return: the reconciliation holds those against the rows.
import { Migration } from '@mikro-orm/migrations';

export class AlertsOfPayments extends Migration {
  override readonly name = '0254-alerts-of-payments';

  override up(): void {
    this.addSql(ALERTS_OF_PAYMENT);
  }
}

const ALERTS_OF_PAYMENT = `
create index alerts_of_payment on events (org_id, (data ->> 'paymentId'))
  where type = 'financial.operation_failed' and data ->> 'paymentId' is not null;`;
