// What became of the mail that was sent: each notice with its id at the email provider, and the addresses to which no
// mail goes any more.
import { Migration } from '@mikro-orm/migrations';

export class MailEvents extends Migration {
  override readonly name = '0065-mail-events';

  override up(): void {
    this.addSql(SENT_MAILS);
    this.addSql(UNDELIVERABLE_ADDRESSES);
    this.addSql(IS_UNDELIVERABLE);
    this.addSql(REMEMBER_UNDELIVERABLE);
  }
}

/** What the provider reports is filled in once, when the report comes. */
const SENT_MAILS = `
create table sent_mails (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  policy_id text collate "C" not null,
  message_id text collate "C" not null unique,
  kind text collate "C" not null,
  on_date date not null,
  provider_id text collate "C" unique,
  sent_at timestamptz(3) not null,
  delivered_at timestamptz(3),
  opened_at timestamptz(3),
  bounced_at timestamptz(3),
  complained_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  foreign key (org_id, policy_id) references policies (org_id, id) deferrable initially deferred
);
create index sent_mails_of_policy on sent_mails (org_id, policy_id, id);
call protect_tenant_table('sent_mails');
revoke update, delete on sent_mails from bindery_app;
grant update (delivered_at, opened_at, bounced_at, complained_at, updated_at) on sent_mails to bindery_app;`;

/**
 * An address that bounces does so for every organization. Only its hash is kept, and no service can read the list: it
 * may ask about an address that it has.
 */
const UNDELIVERABLE_ADDRESSES = `
create table undeliverable_addresses (
  address_hash bytea primary key,
  reason text collate "C" not null check (reason in ('bounced', 'complained')),
  message_id text not null,
  created_at timestamptz(3) not null default now()
);
create function address_hash(address text) returns bytea language sql immutable strict set search_path = ''
  as $$ select pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.lower(pg_catalog.btrim(address)), 'UTF8')) $$;`;

const IS_UNDELIVERABLE = `
create function is_undeliverable(address text) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select exists (select from public.undeliverable_addresses where address_hash = public.address_hash(address))
  $$;
revoke all on function is_undeliverable(text) from public;
grant execute on function is_undeliverable(text) to bindery_app, bindery_ops;`;

const REMEMBER_UNDELIVERABLE = `
create function remember_undeliverable(address text, cause text, message text) returns void
  language sql volatile security definer set search_path = ''
  as $$
    insert into public.undeliverable_addresses (address_hash, reason, message_id)
      values (public.address_hash(address), cause, message) on conflict (address_hash) do nothing
  $$;
revoke all on function remember_undeliverable(text, text, text) from public;
grant execute on function remember_undeliverable(text, text, text) to bindery_app;`;
