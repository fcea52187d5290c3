// The payment plan of a term can change: a transaction of its own type, which moves no money.
import { Migration } from '@mikro-orm/migrations';

export class PaymentPlanChanges extends Migration {
  override readonly name = '0138-payment-plan-changes';

  override up(): void {
    this.addSql(PAYMENT_PLAN_TYPE);
  }
}

const PAYMENT_PLAN_TYPE = `
alter table policy_transactions drop constraint policy_transactions_type_check,
  add constraint policy_transactions_type_check check (
    type in ('new_business', 'endorsement', 'cancellation', 'reinstatement', 'renewal', 'non_renewal',
      'non_renewal_withdrawal', 'audit', 'payment_plan'));`;
