// Money that was kept may have come from several payments, each of which is taken back once it was never good.
import { Migration } from '@mikro-orm/migrations';

export class KeptRefundsReversed extends Migration {
  override readonly name = '0286-kept-refunds-reversed';

  override up(): void {
    this.addSql(ONCE_UNLESS_KEPT);
  }
}

const ONCE_UNLESS_KEPT = `
drop index payments_reversed_once;
create unique index payments_reversed_once on payments (org_id, (allocations -> 0 ->> 'paymentId'))
  where kind = 'reversal' and method <> 'kept_refund';`;
