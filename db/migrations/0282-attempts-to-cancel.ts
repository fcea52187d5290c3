// A card attempt that a retry has replaced is to be cancelled at the processor whatever its invoice owes, unless an
// operator has left that out: its row says so, and a lost cancellation is found by it. Decision 0308.
import { Migration } from '@mikro-orm/migrations';

export class AttemptsToCancel extends Migration {
  override readonly name = '0282-attempts-to-cancel';

  override up(): void {
    this.addSql(CANCELLATION);
  }
}

const CANCELLATION = `
alter table payment_intents add column cancellation text collate "C" check (cancellation in ('due', 'left_out'));
create index payment_intents_cancellable on payment_intents (org_id, id)
  where processor_id is not null and status in ('creating', 'open', 'failed');
grant update (cancellation) on payment_intents to bindery_app;`;
