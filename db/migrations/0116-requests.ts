// What was called, by whom, and how it was answered: so that the id which a caller quotes is found. Decision 0116.
import { Migration } from '@mikro-orm/migrations';

export class Requests extends Migration {
  override readonly name = '0116-requests';

  override up(): void {
    this.addSql(REQUESTS);
  }
}

/** Callers may choose the id, so it may come again; what only the time tells apart is one request. */
const REQUESTS = `
create table requests (
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  request_id text collate "C" not null,
  method text collate "C" not null,
  route text collate "C" not null,
  status int not null,
  error text collate "C",
  duration_ms int not null,
  actor_kind text collate "C" not null,
  actor_id text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, request_id, created_at)
);
create index requests_by_age on requests (created_at);
call protect_tenant_table('requests');
revoke update, delete on requests from bindery_app;
grant delete on requests to bindery_ops;`;
