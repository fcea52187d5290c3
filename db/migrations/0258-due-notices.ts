// The notices that are due to insureds and are not done yet. The transaction that decides on one writes it, and the one
// that keeps its outcome removes it: what is left is to be sent, whatever Temporal remembers. Decision 0280.
import { Migration } from '@mikro-orm/migrations';

export class DueNotices extends Migration {
  override readonly name = '0258-due-notices';

  override up(): void {
    this.addSql(DUE_NOTICES);
  }
}

/** The id is that of the e-mail. */
const DUE_NOTICES = `
create table due_notices (
  id text collate "C" not null,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  policy_id text collate "C" not null,
  kind text collate "C" not null,
  on_date date not null,
  transaction_id text collate "C",
  created_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  foreign key (org_id, policy_id) references policies (org_id, id) deferrable initially deferred
);
call protect_tenant_table('due_notices');
revoke update on due_notices from bindery_app;
grant delete on due_notices to bindery_app;`;
