// Two answers with one request id in the same millisecond are two requests: a caller who chooses the id hides no call.
// Decision 0309.
import { Migration } from '@mikro-orm/migrations';

export class RequestsOfOneMillisecond extends Migration {
  override readonly name = '0283-requests-of-one-millisecond';

  override up(): void {
    this.addSql(OWN_KEY);
  }
}

const OWN_KEY = `
alter table requests add column id bigint generated always as identity, drop constraint requests_pkey,
  add primary key (org_id, id);
create index requests_by_request_id on requests (org_id, request_id, created_at);`;
