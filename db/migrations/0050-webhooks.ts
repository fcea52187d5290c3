// Subscriptions to events, and the log of their deliveries. The transaction that writes an event writes, by itself, one
// waiting delivery for each subscription to it: none is forgotten, whoever writes the event.
import { Migration } from '@mikro-orm/migrations';

export class Webhooks extends Migration {
  override readonly name = '0050-webhooks';

  override up(): void {
    this.addSql(WEBHOOKS);
    this.addSql(DELIVERIES);
    this.addSql(EVENTS_NOT_YET_COUNTED);
    this.addSql(NEW_TYPE_ID);
    this.addSql(PLAN_DELIVERIES);
    this.addSql(CLAIM_DUE_WEBHOOKS);
  }
}

/** `delivering_until` says that somebody has been sent for: a hint that saves calls, nothing depends on it. */
const WEBHOOKS = `
create table webhooks (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  url text not null,
  events jsonb not null check (jsonb_array_length(events) > 0),
  event_types jsonb not null check (jsonb_array_length(event_types) > 0),
  description text,
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz(3),
  status text collate "C" not null check (status in ('active', 'paused', 'deleted')),
  delivering_until timestamptz(3),
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint webhooks_of_organization unique (org_id, id),
  check ((previous_secret is null) = (previous_secret_until is null))
);
create index webhooks_newest on webhooks (org_id, id);
create index webhooks_active on webhooks (org_id) where status = 'active';
call protect_tenant_table('webhooks');
revoke delete on webhooks from bindery_app;`;

const DELIVERIES = `
create table webhook_deliveries (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  webhook_id text collate "C" not null,
  event_id text collate "C" not null references events (id) deferrable initially deferred,
  event_type text collate "C" not null,
  position bigint not null,
  status text collate "C" not null default 'pending'
    check (status in ('pending', 'sending', 'delivered', 'failed', 'unknown')),
  redelivery_of text collate "C",
  attempted_at timestamptz(3),
  latency_ms int,
  status_code int,
  response text,
  error text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  foreign key (org_id, webhook_id) references webhooks (org_id, id) deferrable initially deferred,
  check ((status = 'pending') = (attempted_at is null))
);
create unique index webhook_deliveries_once on webhook_deliveries (webhook_id, event_id) where redelivery_of is null;
create index webhook_deliveries_newest on webhook_deliveries (org_id, webhook_id, id);
create index webhook_deliveries_pending on webhook_deliveries (webhook_id, position) where status = 'pending';
create index webhook_deliveries_sending on webhook_deliveries (attempted_at) where status = 'sending';
create index webhook_deliveries_by_age on webhook_deliveries (created_at);
call protect_tenant_table('webhook_deliveries');
revoke update, delete on webhook_deliveries from bindery_app;
grant update (status, attempted_at, latency_ms, status_code, response, error, updated_at)
  on webhook_deliveries to bindery_app;
grant delete on webhook_deliveries to bindery_ops;`;

/** Whoever holds up the events of an organization without any makes the row of their counter. */
const EVENTS_NOT_YET_COUNTED = `
alter table org_counters drop constraint org_counters_value_check,
  add constraint org_counters_value_check check (value > 0 or (key = 'EVENT' and value = 0));`;

/** A TypeID as db/ids.ts makes it: a prefix and a UUIDv7 in base32, so that ids sort by time. */
const NEW_TYPE_ID = `
create function new_type_id(prefix text) returns text language sql volatile set search_path = pg_catalog as $$
  select prefix || '_' || (
    select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + five::int, 1), '' order by n)
      from generate_series(0, 25) n, lateral (select substring(bits from 1 + 5 * n for 5)::bit(5) as five) part)
  from (
    select b'00' || ('x' || lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
      || '7' || substr(noise, 14, 3) || substr(noise, 17))::bit(128) as bits
    from (select replace(gen_random_uuid()::text, '-', '') as noise) random
  ) made
$$;`;

/**
 * Runs once for each statement that adds events, which is the last of its transaction. Whoever changes subscriptions
 * first takes the counter that numbers events, so a subscription counts for an event exactly when it was active as the
 * event was committed. A test goes to one subscription, and is written with its delivery.
 */
const PLAN_DELIVERIES = `
create function plan_deliveries() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (id, org_id, webhook_id, event_id, event_type, position)
    select new_type_id('whd'), w.org_id, w.id, e.id, e.type, e.position
      from added e join webhooks w on w.org_id = e.org_id and w.status = 'active'
        and (jsonb_exists(w.event_types, e.type) or jsonb_exists(w.event_types, '*'))
      where e.type <> 'webhook.test';
  return null;
end
$$;
create trigger plan_deliveries after insert on events referencing new table as added
  for each statement execute function plan_deliveries();`;

/**
 * Names the subscriptions of any organization with deliveries that wait, or whose sender died, and that nobody has been
 * sent for; claims them for a while. It walks over the subscriptions, not over their deliveries.
 */
const CLAIM_DUE_WEBHOOKS = `
create policy subscriptions_to_serve on webhooks for all to current_user using (true);
create policy waiting_deliveries on webhook_deliveries for select to current_user using (true);
create function claim_due_webhooks(lease_seconds int, most int) returns table (org_id text, webhook_id text)
  language sql volatile security definer set search_path = ''
  as $$
    with recursive waiting (id) as (
      (select d.webhook_id from public.webhook_deliveries d where d.status = 'pending' order by d.webhook_id limit 1)
      union all
      select (select d.webhook_id from public.webhook_deliveries d
          where d.status = 'pending' and d.webhook_id > w.id order by d.webhook_id limit 1)
        from waiting w where w.id is not null
    ), orphaned as (
      select d.webhook_id as id from public.webhook_deliveries d
        where d.status = 'sending' and d.attempted_at < clock_timestamp() - interval '15 seconds'
    ), due as (
      select w.id from public.webhooks w
        where w.id in (select id from waiting union select id from orphaned)
          and (w.delivering_until is null or w.delivering_until < clock_timestamp())
        limit most for no key update of w skip locked
    )
    update public.webhooks w set delivering_until = clock_timestamp() + lease_seconds * interval '1 second'
      from due where w.id = due.id returning w.org_id, w.id
  $$;
revoke all on function claim_due_webhooks(int, int) from public;
grant execute on function claim_due_webhooks(int, int) to bindery_app;`;
