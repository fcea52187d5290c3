// Notices for the devices of insureds. The transaction of what happens writes, by itself, one waiting notice for each
// device of the insured: none is forgotten, wherever the row is written. Decision 0122.
import { Migration } from '@mikro-orm/migrations';

export class PushNotices extends Migration {
  override readonly name = '0122-push-notices';

  override up(): void {
    this.addSql(MUTED);
    this.addSql(NOTICES);
    this.addSql(PLAN);
    this.addSql(FAILED_PAYMENTS);
    this.addSql(MOVED_CLAIMS);
    this.addSql(READY_DOCUMENTS);
    this.addSql(CLAIM_DUE);
  }
}

/** The kinds that an insured does not want. */
const MUTED = `
alter table insureds add column muted_pushes jsonb not null default '[]';`;

/** \`source\` is what happened: a device hears of it once. A device that goes takes its notices along. */
const NOTICES = `
alter table push_tokens add constraint push_tokens_of_organization unique (org_id, id);
create table push_notices (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  push_token_id text collate "C" not null,
  insured_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('payment_due', 'payment_failed', 'claim_moved', 'document_ready')),
  subject_id text collate "C" not null,
  source text collate "C" not null,
  status text collate "C" not null default 'pending' check (status in ('pending', 'sent', 'dropped', 'refused')),
  attempts int not null default 0,
  due_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint push_notices_once unique (push_token_id, source),
  foreign key (org_id, push_token_id) references push_tokens (org_id, id) on delete cascade
);
create index push_notices_due on push_notices (due_at) where status = 'pending';
create index push_notices_by_age on push_notices (created_at);
call protect_tenant_table('push_notices');
revoke update, delete on push_notices from bindery_app;
grant update (status, attempts, due_at, updated_at) on push_notices to bindery_app;
grant delete on push_notices to bindery_ops;`;

/** Writes a notice for each device of the insured of a policy. */
const PLAN = `
create function plan_push_notices(organization text, policy text, kind text, subject text, source text) returns void
  language sql volatile set search_path = public
  as $$
    insert into push_notices (id, org_id, push_token_id, insured_id, kind, subject_id, source)
      select new_type_id('psn'), t.org_id, t.id, t.insured_id, $3, $4, $5
        from policies p join push_tokens t on t.org_id = p.org_id and t.insured_id = p.insured_id
        where p.org_id = $1 and p.id = $2
      on conflict on constraint push_notices_once do nothing
  $$;`;

const FAILED_PAYMENTS = `
create function plan_failed_payment() returns trigger language plpgsql as $$
begin
  perform plan_push_notices(new.org_id, new.data->>'policyId', 'payment_failed', new.data->>'invoiceId', new.id);
  return null;
end
$$;
create trigger plan_failed_payment after insert on events for each row
  when (new.type = 'payment.failed' and new.data->>'policyId' is not null and new.data->>'invoiceId' is not null)
  execute function plan_failed_payment();`;

const MOVED_CLAIMS = `
create function plan_moved_claim() returns trigger language plpgsql as $$
begin
  perform plan_push_notices(new.org_id, new.policy_id, 'claim_moved', new.id, new.id || ':' || new.version);
  return null;
end
$$;
create trigger plan_moved_claim after update of status on claims for each row
  when (old.status is distinct from new.status and new.policy_id is not null)
  execute function plan_moved_claim();`;

/** The kinds that an insured sees. What an insured has made for themself, they have in their hand. */
const READY_DOCUMENTS = `
create function plan_ready_document() returns trigger language plpgsql as $$
declare
  of_policy text := new.entity_id;
begin
  if new.entity_type = 'invoice' then
    select policy_id into of_policy from invoices where org_id = new.org_id and id = new.entity_id;
  end if;
  perform plan_push_notices(new.org_id, of_policy, 'document_ready', new.id, new.id);
  return null;
end
$$;
create trigger plan_ready_document after insert on documents for each row
  when (new.entity_type in ('policy', 'invoice') and not new.contains_phi and new.created_by not like 'pol\\_%'
    and new.kind in ('declarations', 'endorsement', 'cancellation_notice', 'reinstatement_notice',
      'non_renewal_notice', 'binder', 'certificate', 'mcs90', 'invoice', 'receipt'))
  execute function plan_ready_document();`;

/** Names notices of any organization that wait, and claims them for a while. */
const CLAIM_DUE = `
create policy notices_to_send on push_notices for all to current_user using (true);
create function claim_due_push_notices(lease_seconds int, most int) returns table (org_id text, notice_id text)
  language sql volatile security definer set search_path = ''
  as $$
    with due as (
      select n.id from public.push_notices n where n.status = 'pending' and n.due_at < clock_timestamp()
        order by n.due_at limit most for no key update of n skip locked
    )
    update public.push_notices n set due_at = clock_timestamp() + lease_seconds * interval '1 second'
      from due where n.id = due.id returning n.org_id, n.id
  $$;
revoke all on function claim_due_push_notices(int, int) from public;
grant execute on function claim_due_push_notices(int, int) to bindery_app;`;
