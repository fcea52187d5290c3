// Each sweep looks for charges of autopay without an outcome, which are few among all attempts. A refusal keeps the day
// on which it came: the next charge counts from there. Decision 0165.
import { Migration } from '@mikro-orm/migrations';

export class AutopayUnderWay extends Migration {
  override readonly name = '0194-autopay-under-way';

  override up(): void {
    this.addSql(`
create index payment_intents_under_way on payment_intents (org_id, invoice_id)
  where autopay_setup_id is not null and status in ('creating', 'open');
grant update (autopay_on) on payment_intents to bindery_app;`);
  }
}
