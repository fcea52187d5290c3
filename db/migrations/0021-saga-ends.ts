// When all follow-up of a payment or a refund was done, so that one whose workflow was lost can be found and finished.
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

/** Few sagas are under way at any time. */
const PAYMENTS_UNDER_WAY = `
create index payments_under_way on payments (org_id, id) where saga_ended_at is null;`;
