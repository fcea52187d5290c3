// An invoice that is payable again, since its payment was never good, has a later due date, but is no younger a debt:
// its first due date keeps its place among the others. Null where it has not moved.
import { Migration } from '@mikro-orm/migrations';

export class DebtsKeepTheirPlace extends Migration {
  override readonly name = '0093-debts-keep-their-place';

  override up(): void {
    this.addSql(FIRST_DUE_DATE);
  }
}

const FIRST_DUE_DATE = `
alter table invoices add column first_due_date date, add check (first_due_date < due_date);
grant update (first_due_date) on invoices to bindery_app;`;
