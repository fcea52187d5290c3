// Where insureds pay, in the lines in which it is printed on invoices, statements and notices; none where nothing is
// printed. Contract 3.4, 3.10.
import { Migration } from '@mikro-orm/migrations';

export class WhereToPay extends Migration {
  override readonly name = '0278-where-to-pay';

  override up(): void {
    this.addSql("alter table organizations add column payment_instructions jsonb not null default '[]';");
  }
}
