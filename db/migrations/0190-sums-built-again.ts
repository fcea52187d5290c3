// What a cancellation leaves of a policy that has not begun is earned from its first day on, and not before: sums that
// were built otherwise are built again. Until a worker has done so, the rows answer. Decision 0140.
import { Migration } from '@mikro-orm/migrations';

export class SumsBuiltAgain extends Migration {
  override readonly name = '0190-sums-built-again';

  override up(): void {
    this.addSql(`
alter table portfolio_marks no force row level security;
delete from portfolio_marks;
alter table portfolio_marks force row level security;`);
  }
}
