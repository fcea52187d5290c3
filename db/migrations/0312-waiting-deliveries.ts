// The deliveries without an outcome, in a small table of their own: it says which wait and which are being sent. No
// index of the log depends on a status any longer, so that an update of the log adds no index entry. Decision 0341.
import { Migration } from '@mikro-orm/migrations';

export class WaitingDeliveries extends Migration {
  override readonly name = '0312-waiting-deliveries';

  override up(): void {
    this.addSql(WAITING);
    this.addSql(SENDING);
    this.addSql(OPEN_ONES);
    this.addSql(PRIVILEGES);
    this.addSql(LOG_UPDATED_IN_PLACE);
    this.addSql(PLAN_DELIVERIES);
    this.addSql(CLAIM_DUE_WEBHOOKS);
  }
}

/**
 * Its key is the order in which they go out, and all that a claim looks at: the planner has no other way to find the
 * next ones.
 */
const WAITING = `
create table waiting_deliveries (
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  webhook_id text collate "C" not null,
  position bigint not null,
  id text collate "C" not null,
  primary key (org_id, webhook_id, position)
);`;

const SENDING = `
create table sending_deliveries (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  webhook_id text collate "C" not null,
  claimed_at timestamptz(3) not null default clock_timestamp()
);
create index sending_deliveries_by_webhook on sending_deliveries (webhook_id, claimed_at);`;

/** Before the tables are protected: the owner could not add a row afterwards. */
const OPEN_ONES = `
alter table webhook_deliveries no force row level security;
insert into waiting_deliveries (org_id, webhook_id, position, id)
  select org_id, webhook_id, position, id from webhook_deliveries where status = 'pending';
insert into sending_deliveries (id, org_id, webhook_id, claimed_at)
  select id, org_id, webhook_id, attempted_at from webhook_deliveries where status = 'sending';
set constraints all immediate;
set constraints all deferred;
alter table webhook_deliveries force row level security;`;

/** A sender may change a waiting row only because nobody else may lock one. */
const PRIVILEGES = `
call protect_tenant_table('waiting_deliveries');
revoke update on waiting_deliveries from bindery_app;
grant delete, update (position) on waiting_deliveries to bindery_app;
call protect_tenant_table('sending_deliveries');
revoke update on sending_deliveries from bindery_app;
grant delete on sending_deliveries to bindery_app;`;

/** No column of an index changes, and half of each page stays free for the rows' later versions. */
const LOG_UPDATED_IN_PLACE = `
drop index webhook_deliveries_pending, webhook_deliveries_sending;
alter table webhook_deliveries set (fillfactor = 50);`;

/** As in 0050; what it plans also waits. */
const PLAN_DELIVERIES = `
create or replace function plan_deliveries() returns trigger language plpgsql as $$
begin
  with planned as (
    insert into webhook_deliveries (id, org_id, webhook_id, event_id, event_type, position)
      select new_type_id('whd'), w.org_id, w.id, e.id, e.type, e.position
        from added e join webhooks w on w.org_id = e.org_id and w.status = 'active'
          and (jsonb_exists(w.event_types, e.type) or jsonb_exists(w.event_types, '*'))
        where e.type <> 'webhook.test'
      returning id, org_id, webhook_id, position
  )
  insert into waiting_deliveries (org_id, webhook_id, position, id) select org_id, webhook_id, position, id from planned;
  return null;
end
$$;`;

/** As in 0237, walking over the subscriptions of both tables. */
const CLAIM_DUE_WEBHOOKS = `
drop policy waiting_deliveries on webhook_deliveries;
create policy deliveries_to_serve on waiting_deliveries for select to current_user using (true);
create policy deliveries_to_give_up on sending_deliveries for select to current_user using (true);
create or replace function claim_due_webhooks(lease_seconds int, most int)
  returns table (org_id text, webhook_id text)
  language sql volatile security definer set search_path = ''
  as $$
    with recursive waiting (org_id, id) as (
      (select d.org_id, d.webhook_id from public.waiting_deliveries d order by d.org_id, d.webhook_id limit 1)
      union all
      select next.org_id, next.webhook_id from waiting w, lateral (
        select d.org_id, d.webhook_id from public.waiting_deliveries d
          where (d.org_id, d.webhook_id) > (w.org_id, w.id) order by d.org_id, d.webhook_id limit 1) next
    ), sending (id, claimed_at) as (
      (select d.webhook_id, d.claimed_at from public.sending_deliveries d order by d.webhook_id, d.claimed_at limit 1)
      union all
      select next.webhook_id, next.claimed_at from sending s, lateral (
        select d.webhook_id, d.claimed_at from public.sending_deliveries d
          where d.webhook_id > s.id order by d.webhook_id, d.claimed_at limit 1) next
    ), orphaned as (
      select s.id from sending s where s.claimed_at < clock_timestamp() - interval '15 seconds'
    ), in_turn as (
      select w.id, row_number() over (partition by w.org_id order by w.delivering_until nulls first, w.id) as turn
        from public.webhooks w
        where w.id in (select id from waiting union select id from orphaned)
          and (w.delivering_until is null or w.delivering_until < clock_timestamp())
    ), due as (
      select w.id from public.webhooks w join in_turn t on t.id = w.id
        where w.delivering_until is null or w.delivering_until < clock_timestamp()
        order by t.turn limit most for no key update of w skip locked
    )
    update public.webhooks w set delivering_until = clock_timestamp() + lease_seconds * interval '1 second'
      from due where w.id = due.id returning w.org_id, w.id
  $$;`;
