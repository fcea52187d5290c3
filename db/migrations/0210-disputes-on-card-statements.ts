// The card processor's list also has what a dispute took and what came back of it, so that one that never reached us is
// found.
import { Migration } from '@mikro-orm/migrations';

export class DisputesOnCardStatements extends Migration {
  override readonly name = '0210-disputes-on-card-statements';

  override up(): void {
    this.addSql(`alter table card_statement_lines drop constraint card_statement_lines_kind_check,
      add constraint card_statement_lines_kind_check
        check (kind in ('charge', 'refund', 'dispute', 'dispute_reversal'));`);
  }
}
