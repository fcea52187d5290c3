// A term that has ended is audited once: a transaction of its own type.
import { Migration } from '@mikro-orm/migrations';

export class PremiumAudits extends Migration {
  override readonly name = '0028-premium-audits';

  override up(): void {
    this.addSql(AUDIT_TYPE);
    this.addSql(ONE_AUDIT);
  }
}

const AUDIT_TYPE = `
alter table policy_transactions drop constraint policy_transactions_type_check,
  add constraint policy_transactions_type_check check (
    type in ('new_business', 'endorsement', 'cancellation', 'reinstatement', 'renewal', 'non_renewal',
      'non_renewal_withdrawal', 'audit'));`;

const ONE_AUDIT = `
create unique index policy_transactions_one_audit on policy_transactions (org_id, policy_id) where type = 'audit';`;
