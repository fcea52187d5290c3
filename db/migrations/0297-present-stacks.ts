// A change in sequence reads as many transactions however many the policy has had: each that it needs is found in an
// index.
import { Migration } from '@mikro-orm/migrations';

export class PresentStacks extends Migration {
  override readonly name = '0297-present-stacks';

  override up(): void {
    this.addSql(`
create index policy_transactions_but_endorsements on policy_transactions (org_id, policy_id, sequence)
  where type <> 'endorsement';
create index policy_transactions_by_effect on policy_transactions (org_id, policy_id, effective_date)
  where type = 'endorsement';
create index policy_transactions_flagged on policy_transactions (org_id, policy_id, sequence) where da_flags <> '[]';`);
  }
}
