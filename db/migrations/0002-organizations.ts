// Organizations, their keys and relations, and the records that every change leaves: audit, events, answers.
import { Migration } from '@mikro-orm/migrations';

export class Organizations extends Migration {
  override readonly name = '0002-organizations';

  override up(): void {
    this.addSql(ORGANIZATIONS);
    this.addSql(API_KEYS);
    this.addSql(FIND_API_KEY);
    this.addSql(RELATIONS);
    this.addSql(AUDIT_ENTRIES);
    this.addSql(EVENTS);
    this.addSql(IDEMPOTENCY_KEYS);
    this.addSql(COMMANDS);
    this.addSql(COUNTERS);
    this.addSql(EVENT_POSITIONS);
  }
}

const ORGANIZATIONS = `
create table organizations (
  id text collate "C" primary key,
  name text not null,
  tier text not null default 'standard' check (tier in ('standard', 'enterprise')),
  email_domains jsonb not null default '[]',
  clock_offset_days int not null default 0 check (clock_offset_days >= 0),
  is_demo boolean not null default false,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index organizations_one_demo on organizations (is_demo) where is_demo;
call protect_tenant_table('organizations', 'id');`;

const API_KEYS = `
create table api_keys (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  name text not null,
  hash text collate "C" not null constraint api_keys_hash_unique unique check (hash ~ '^[0-9a-f]{64}$'),
  display_prefix text not null,
  scopes jsonb not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint api_keys_of_organization unique (org_id, id)
);
call protect_tenant_table('api_keys');`;

/** A key is looked up before its organization is known: by its hash alone, through this function and nothing else. */
const FIND_API_KEY = `
create policy lookup_by_hash on api_keys for select to current_user using (true);
create function find_api_key(key_hash text) returns setof api_keys
  language sql stable security definer set search_path = ''
  as 'select * from public.api_keys where hash = key_hash';
revoke all on function find_api_key(text) from public;
grant execute on function find_api_key(text) to bindery_app, bindery_ops;`;

const RELATIONS = `
create table relations (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  object_type text collate "C" not null,
  object_id text collate "C" not null,
  relation text collate "C" not null,
  subject_type text collate "C" not null,
  subject_id text collate "C" not null,
  limits jsonb,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint relations_unique unique (org_id, object_type, object_id, relation, subject_type, subject_id)
);
create index relations_of_subject on relations (subject_type, subject_id, org_id);
call protect_tenant_table('relations');`;

/** Its organization may be the installation itself, so there is no foreign key. */
const AUDIT_ENTRIES = `
create table audit_entries (
  id text collate "C" primary key,
  org_id text collate "C" not null,
  actor_kind text not null,
  actor_id text collate "C" not null,
  actor_role text not null,
  action text not null,
  entity_type text collate "C" not null,
  entity_id text collate "C",
  request_id text,
  changes jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index audit_entries_newest on audit_entries (org_id, id);
create index audit_entries_of_entity on audit_entries (org_id, entity_id, id);
call protect_tenant_table('audit_entries');
call make_append_only('audit_entries');`;

const EVENTS = `
create table events (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  type text collate "C" not null,
  data jsonb not null,
  occurred_at timestamptz(3) not null,
  position bigint not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index events_by_position on events (org_id, position);
create index events_newest on events (org_id, id);
create index events_of_type on events (org_id, type, id);
call protect_tenant_table('events');
call make_append_only('events');`;

/**
 * Events are numbered from a counter of their organization. Its row stays locked until the transaction ends, so the
 * numbers follow the order of the commits and have no gap: a reader who has seen a position will see nothing new before
 * it.
 */
const EVENT_POSITIONS = `
create function take_event_position() returns trigger language plpgsql as $$
begin
  insert into org_counters as counter (org_id, key, value) values (new.org_id, 'EVENT', 1)
    on conflict (org_id, key) do update set value = counter.value + 1 returning value into new.position;
  return new;
end
$$;
create trigger take_position before insert on events for each row execute function take_event_position();`;

/** Its organization may be the installation itself, so there is no foreign key. */
const IDEMPOTENCY_KEYS = `
create table idempotency_keys (
  org_id text collate "C" not null,
  key_hash text collate "C" not null,
  fingerprint text collate "C" not null,
  state text not null check (state in ('running', 'released', 'done')),
  locked_until timestamptz(3) not null,
  seed_uuid text not null,
  status int check (status between 100 and 599),
  headers jsonb,
  body jsonb,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, key_hash),
  check (state <> 'done' or status is not null)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);
call protect_tenant_table('idempotency_keys');`;

const COMMANDS = `
create table commands (
  org_id text collate "C" not null,
  id text collate "C" not null,
  kind text not null,
  result jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, id)
);
call protect_tenant_table('commands');`;

/** Policy numbers name a policy in the whole installation, so their counter belongs to no organization. */
const COUNTERS = `
create table policy_number_counters (
  key text collate "C" primary key,
  value bigint not null check (value > 0)
);
grant select, insert, update on policy_number_counters to bindery_app, bindery_ops;
create table org_counters (
  org_id text collate "C" not null,
  key text collate "C" not null,
  value bigint not null check (value > 0),
  primary key (org_id, key)
);
call protect_tenant_table('org_counters');`;
