// One index for each order of a list that callers may choose. Decision 0128.
import { Migration } from '@mikro-orm/migrations';

export class OrdersOfLists extends Migration {
  override readonly name = '0128-orders-of-lists';

  override up(): void {
    this.addSql(INDEXES);
  }
}

/** Equal dates are in the order of the ids, so the id belongs to the index; a submission may have no date yet. */
const INDEXES = `
drop index policies_by_effective_date;
create index policies_by_effective_date on policies (org_id, effective_date, id);
drop index policies_by_expiration_date;
create index policies_by_expiration_date on policies (org_id, expiration_date, id);
create index policies_by_number on policies (org_id, policy_number, id);
drop index invoices_by_due_date;
create index invoices_by_due_date on invoices (org_id, due_date, id);
create index submissions_by_effective_date on submissions (org_id, (coalesce(effective_date, 'infinity')), id);`;
