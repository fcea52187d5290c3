// Entries made by hand: a journal waits for someone else's approval, and only then is it posted.
import { Migration } from '@mikro-orm/migrations';

export class Journals extends Migration {
  override readonly name = '0034-journals';

  override up(): void {
    this.addSql(JOURNALS);
  }
}

const JOURNALS = `
create table journals (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  status text collate "C" not null check (status in ('pending_approval', 'posted', 'rejected')),
  ledger text collate "C" not null check (ledger in ('fiduciary', 'general')),
  date date not null,
  description text not null,
  lines jsonb not null,
  policy_id text collate "C",
  invoice_id text collate "C",
  completes_payment_id text collate "C",
  completes_step text collate "C",
  made_by text not null,
  decided_by text,
  decided_at timestamptz(3),
  rejection_reason text,
  entry_id text collate "C",
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint journals_of_organization unique (org_id, id),
  check ((status = 'pending_approval') = (decided_by is null)),
  check ((status = 'posted') = (entry_id is not null)),
  check (decided_by <> made_by),
  check ((completes_payment_id is null) = (completes_step is null)),
  foreign key (org_id, policy_id) references policies (org_id, id) deferrable initially deferred,
  foreign key (org_id, invoice_id) references invoices (org_id, id) deferrable initially deferred,
  foreign key (org_id, entry_id) references ledger_entries (org_id, id) deferrable initially deferred,
  foreign key (org_id, completes_payment_id, completes_step)
    references step_skips (org_id, payment_id, step) deferrable initially deferred
);
create index journals_newest on journals (org_id, id);
call protect_tenant_table('journals');
revoke update, delete on journals from bindery_app;
grant update (status, decided_by, decided_at, rejection_reason, entry_id, version, updated_at)
  on journals to bindery_app;`;
