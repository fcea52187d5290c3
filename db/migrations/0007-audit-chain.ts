// The chain over the audit rows of each organization: a link for every row, empty until the row is sealed, and the
// seals. Writing an audit row takes no lock of the chain: it only adds its own empty link. The first sealing fills the
// links.
import { Migration } from '@mikro-orm/migrations';

export class AuditChain extends Migration {
  override readonly name = '0007-audit-chain';

  override up(): void {
    this.addSql(AUDIT_FILTERS);
    this.addSql(AUDIT_LINKS);
    this.addSql(LINK_NEW_ENTRIES);
    this.addSql(LINK_OLD_ENTRIES);
    this.addSql(SEALED_ONCE);
    this.addSql(AUDIT_SEALS);
    this.addSql(UNSEALED_ORGANIZATIONS);
  }
}

/** For the filters of the list by actor, by kind of entity and by day. */
const AUDIT_FILTERS = `
create index audit_entries_of_actor on audit_entries (org_id, actor_id, id);
create index audit_entries_of_type on audit_entries (org_id, entity_type, id);
create index audit_entries_by_day on audit_entries (org_id, created_at);`;

/** A row's place in the chain: the seal, its place within it, and the hash of the chain up to and including it. */
const AUDIT_LINKS = `
create table audit_links (
  org_id text collate "C" not null,
  entry_id text collate "C" not null,
  sequence int check (sequence > 0),
  ordinal int check (ordinal > 0),
  hash text collate "C" check (hash ~ '^[0-9a-f]{64}$'),
  primary key (org_id, entry_id),
  constraint audit_links_place_unique unique (org_id, sequence, ordinal),
  constraint audit_links_sealed_or_not check (num_nulls(sequence, ordinal, hash) in (0, 3))
);
create index audit_links_unsealed on audit_links (org_id, entry_id) where sequence is null;`;

const LINK_NEW_ENTRIES = `
create function link_audit_entry() returns trigger language plpgsql as $$
begin
  insert into public.audit_links (org_id, entry_id) values (new.org_id, new.id);
  return null;
end
$$;
create trigger link_entry after insert on audit_entries for each row execute function link_audit_entry();`;

/** The owner need not be a superuser, and then row-level security would hide the rows from it too. */
const LINK_OLD_ENTRIES = `
alter table audit_entries no force row level security;
insert into audit_links (org_id, entry_id) select org_id, id from audit_entries;
alter table audit_entries force row level security;
call protect_tenant_table('audit_links');`;

/** An empty link is filled once; a filled one stays as it is. */
const SEALED_ONCE = `
create function keep_audit_link() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.sequence is null and new.sequence is not null
    and (new.org_id, new.entry_id) = (old.org_id, old.entry_id) then
    return new;
  end if;
  raise exception 'a link of the audit chain is filled once and never changed or removed'
    using errcode = 'restrict_violation';
end
$$;
create trigger sealed_once before update or delete on audit_links for each row execute function keep_audit_link();
create trigger never_emptied before truncate on audit_links for each statement execute function reject_change();
revoke delete on audit_links from bindery_app, bindery_ops;`;

/** `previous_hash` is the hash of the seal before, 64 zeros for the first. */
const AUDIT_SEALS = `
create table audit_seals (
  org_id text collate "C" not null,
  sequence int not null check (sequence > 0),
  entry_count int not null check (entry_count > 0),
  previous_hash text collate "C" not null check (previous_hash ~ '^[0-9a-f]{64}$'),
  hash text collate "C" not null check (hash ~ '^[0-9a-f]{64}$'),
  sealed_at timestamptz(3) not null,
  primary key (org_id, sequence)
);
call protect_tenant_table('audit_seals');
call make_append_only('audit_seals');`;

/** Whose rows wait to be sealed: ids and nothing else. Jumps from organization to organization on the index. */
const UNSEALED_ORGANIZATIONS = `
create policy names_of_organizations on audit_links for select to current_user using (true);
create function organizations_with_unsealed_audit() returns setof text
  language sql stable security definer set search_path = ''
  as $$
    with recursive waiting (org_id) as (
      (select min(org_id) from public.audit_links where sequence is null)
      union all
      select (select min(l.org_id) from public.audit_links l where l.sequence is null and l.org_id > w.org_id)
        from waiting w where w.org_id is not null
    )
    select org_id from waiting where org_id is not null
  $$;
revoke all on function organizations_with_unsealed_audit() from public;
grant execute on function organizations_with_unsealed_audit() to bindery_app, bindery_ops;`;
