// Of the endorsements that take effect on the same day, a change in sequence reads the one issued last, out of the
// index as before: which of them it read was up to the database.
import { Migration } from '@mikro-orm/migrations';

export class PresentStacksInOrder extends Migration {
  override readonly name = '0310-present-stacks-in-order';

  override up(): void {
    this.addSql(`
drop index policy_transactions_by_effect;
create index policy_transactions_by_effect on policy_transactions (org_id, policy_id, effective_date, sequence)
  where type = 'endorsement';`);
  }
}
