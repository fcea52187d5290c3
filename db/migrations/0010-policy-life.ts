// The life of a policy: what its changes do to invoices and refunds, and by which table it is rated again.
import { Migration } from '@mikro-orm/migrations';

export class PolicyLife extends Migration {
  override readonly name = '0010-policy-life';

  override up(): void {
    this.addSql(INVOICES_VOIDED_BY);
    this.addSql(REFUNDS_OF_CHANGES);
    this.addSql(RATED_BY);
  }
}

/** Which transaction of the policy made an invoice void, so that taking it back can make it valid again. */
const INVOICES_VOIDED_BY = `
alter table invoices add column voided_by text collate "C" check (voided_by is null or voided_at is not null),
  add foreign key (org_id, voided_by) references policy_transactions (org_id, id) deferrable initially deferred;`;

/** Which transaction caused a refund, and what the refund is made of. */
const REFUNDS_OF_CHANGES = `
alter table payments add column policy_transaction_id text collate "C", add column composition jsonb,
  add foreign key (org_id, policy_transaction_id) references policy_transactions (org_id, id)
    deferrable initially deferred;
create index payments_of_transaction on payments (org_id, policy_transaction_id) where policy_transaction_id is not null;`;

/** A term that began with a quote is rated by the table of the quote. */
const RATED_BY = `
alter table policies add column rate_table_id text collate "C";`;
