// Every notice that was due, with its outcome, also one that could not go out; and addresses to which an organization
// sends no more mail, each for the organization whose own mail came back or brought a complaint.
import { Migration } from '@mikro-orm/migrations';

export class NoticesDue extends Migration {
  override readonly name = '0097-notices-due';

  override up(): void {
    this.addSql(OUTCOMES);
    this.addSql(OWN_ADDRESSES);
    this.addSql(IS_UNDELIVERABLE);
  }
}

/** Until now a row was kept for what was sent alone. */
const OUTCOMES = `
alter table sent_mails alter column sent_at drop not null;
alter table sent_mails add column outcome text collate "C" not null default 'sent'
  check (outcome in ('sent', 'no_address', 'undeliverable'));
alter table sent_mails alter column outcome drop default;
alter table sent_mails add constraint sent_at_a_time check ((outcome = 'sent') = (sent_at is not null));`;

/** The event that stopped an address says whose mail it was about. What was nobody's mail stops nobody's. */
const OWN_ADDRESSES = `
drop function remember_undeliverable(text, text, text);
alter table undeliverable_addresses rename to former_undeliverable_addresses;
alter table former_undeliverable_addresses drop constraint undeliverable_addresses_pkey;
create table undeliverable_addresses (
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  address_hash bytea not null,
  reason text collate "C" not null check (reason in ('bounced', 'complained')),
  message_id text not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, address_hash)
);
create policy moving on inbound_events for select to current_user using (true);
create policy moving on organizations for select to current_user using (true);
insert into undeliverable_addresses
  select e.org_id, f.address_hash, f.reason, f.message_id, f.created_at
  from former_undeliverable_addresses f
  join inbound_events e on e.provider = 'email-provider' and e.id = f.message_id
  where e.org_id in (select id from organizations);
drop policy moving on inbound_events;
drop policy moving on organizations;
drop table former_undeliverable_addresses;
call protect_tenant_table('undeliverable_addresses');
revoke update on undeliverable_addresses from bindery_app;`;

/** Row-level security shows an organization its own addresses alone. */
const IS_UNDELIVERABLE = `
drop function is_undeliverable(text);
create function is_undeliverable(org text, address text) returns boolean
  language sql stable set search_path = ''
  as $$
    select exists (
      select from public.undeliverable_addresses u
      where u.org_id = org and u.address_hash = public.address_hash(address))
  $$;
revoke all on function is_undeliverable(text, text), address_hash(text) from public;
grant execute on function is_undeliverable(text, text), address_hash(text) to bindery_app, bindery_ops;`;
