// How well a next term fits is scored when it is issued, and its first transaction keeps the score.
import { Migration } from '@mikro-orm/migrations';

export class RenewalTriage extends Migration {
  override readonly name = '0110-renewal-triage';

  override up(): void {
    this.addSql(`alter table policy_transactions add column triage jsonb check (type = 'renewal' or triage is null)`);
  }
}
