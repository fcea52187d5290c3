// Payments are found by the beginning of their reference, whatever its case, and listed newest first. The condition
// compares a column: under row-level security no index serves `like` or a function. Decision 0299.
import { Migration } from '@mikro-orm/migrations';

export class PaymentsByReference extends Migration {
  override readonly name = '0271-payments-by-reference';

  override up(): void {
    this.addSql(PAYMENTS_BY_REFERENCE);
  }
}

const PAYMENTS_BY_REFERENCE = `
alter table payments add column reference_key text collate "C" generated always as (lower(reference)) stored;
create index payments_by_reference on payments (org_id, reference_key);
create index payments_newest on payments (org_id, created_at, id);
create index payments_by_method on payments (org_id, method, created_at, id);`;
