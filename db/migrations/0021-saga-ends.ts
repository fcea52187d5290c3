// When all that follows from a payment or a refund had been done, so that one whose workflow was lost is found and
// brought to its end.
import { Migration } from '@mikro-orm/migrations';

export class SagaEnds extends Migration {
  override readonly name = '0021-saga-ends';

  override up(): void {
    this.addSql(PAYMENTS_SAGA_ENDED);
    this.addSql(PAYMENTS_UNDER_WAY);
  }
}

const PAYMENTS_SAGA_ENDED = `
alter table payments add column saga_ended_at timestamptz(3);
grant update (saga_ended_at) on payments to bindery_app;`;

/** What is under way is little, whatever there is in all. */
const PAYMENTS_UNDER_WAY = `
create index payments_under_way on payments (org_id, id) where saga_ended_at is null;`;
