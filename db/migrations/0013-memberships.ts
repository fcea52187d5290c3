// People and their memberships. A person proves who they are, once for all organizations; a row of `auth.users` is
// their place in one organization, or an offer of one that nobody has accepted yet. The id of a user is the id of that
// place.
import { Migration } from '@mikro-orm/migrations';
import { PLATFORM_SCOPE } from '../scope.ts';

export class Memberships extends Migration {
  override readonly name = '0013-memberships';

  override up(): void {
    this.addSql(PEOPLE);
    this.addSql(PEOPLE_OF_USERS);
    this.addSql(MEMBERSHIPS);
    this.addSql(OFFERS_OF_BEFORE);
    this.addSql(SESSIONS);
    this.addSql(LIVE_SESSION);
    this.addSql(SIGN_IN_METHODS);
    this.addSql(RULES_OF_MEMBERSHIPS);
    this.addSql(PLATFORM_ROLE_HAS_ONE_HOME);
    this.addSql(DOMAIN_OF_ANOTHER);
    this.addSql(ORGANIZATION_NAME);
    this.addSql(INVITE_USER);
    this.addSql(RECORD_AUDIT);
  }
}

/** Who signs in, whatever the organization; for the authentication service alone. */
const PEOPLE = `
create table auth.people (
  id text collate "C" primary key,
  email text collate "C" not null constraint people_email_unique unique check (email = lower(email)),
  name text not null,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
grant select, insert, update on auth.people to bindery_auth;`;

/** An invited person who has neither set a password nor signed on has not accepted, and is no member yet. */
const PEOPLE_OF_USERS = `
insert into auth.people (id, email, name, email_verified, image, created_at, updated_at)
  select id, email, name, email_verified, image, created_at, updated_at from auth.users u
    where u.origin <> 'invited' or u.email_verified or exists (select from auth.accounts a where a.user_id = u.id);`;

const MEMBERSHIPS = `
alter table auth.users
  add person_id text collate "C" references auth.people (id) on delete cascade,
  add member_since timestamptz(3),
  add last_used_at timestamptz(3),
  add invitation_hash text collate "C" check (invitation_hash ~ '^[0-9a-f]{64}$'),
  add invitation_expires_at timestamptz(3);
update auth.users u set person_id = p.id, member_since = u.created_at from auth.people p where p.id = u.id;`;

/** Links that were already e-mailed go on working, in their new form. */
const OFFERS_OF_BEFORE = `
update auth.users u set invitation_hash = kept.value ->> 'hash', invitation_expires_at = kept.expires_at
  from kv_entries kept where kept.key = 'set-password:' || u.id and u.person_id is null;
delete from kv_entries kept using auth.users u where kept.key = 'set-password:' || u.id and u.person_id is null;`;

/** A session is a person's, and acts in one of their organizations at a time: `user_id` is the membership. */
const SESSIONS = `
delete from auth.sessions s using auth.users u where u.id = s.user_id and (u.org_id is null or u.person_id is null);
alter table auth.sessions add person_id text collate "C" references auth.people (id) on delete cascade;
update auth.sessions set person_id = user_id;
alter table auth.sessions alter person_id set not null;
create index sessions_of_person on auth.sessions (person_id);`;

/** As before, and only while the membership is that of the session's person: the row may have become an offer since. */
const LIVE_SESSION = `
create or replace function auth.live_session(by_token text, by_id text)
  returns table (
    session_id text, expires_at timestamptz, user_id text, email text, role text, org_id text, active boolean
  )
  language sql stable security definer set search_path = ''
  as $$
    select s.id, s.expires_at, u.id, u.email, u.role, u.org_id, u.active
      from auth.sessions s join auth.users u on u.id = s.user_id and u.person_id = s.person_id
      where (s.token = by_token or s.id = by_id) and s.expires_at > now()
  $$;`;

const SIGN_IN_METHODS = `
alter table auth.accounts drop constraint accounts_user_id_fkey;
alter table auth.accounts rename user_id to person_id;
alter table auth.accounts add foreign key (person_id) references auth.people (id) on delete cascade;
alter index auth.accounts_of_user rename to accounts_of_person;`;

/** A person without an organization has no row here any more. */
const RULES_OF_MEMBERSHIPS = `
delete from auth.users where org_id is null;
alter table auth.users
  alter org_id set not null,
  alter role set not null,
  drop constraint users_email_unique,
  drop column image,
  add constraint users_of_address unique (org_id, email),
  add check ((person_id is null) = (member_since is null)),
  add check (person_id is null or invitation_hash is null);
create index users_of_person on auth.users (person_id);`;

/**
 * Who has a role of the platform belongs to one organization. The authentication service locks the person before it
 * adds a membership, so a role that is being given here and a membership that is being added there see each other.
 */
const PLATFORM_ROLE_HAS_ONE_HOME = `
create function auth.keep_platform_role_at_home() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
  declare
    platform_roles constant text[] := array['superadmin', 'platform_operator'];
  begin
    if new.person_id is null then return new; end if;
    if new.role = any (platform_roles) then
      perform from auth.people where id = new.person_id for update;
    end if;
    if exists (select from auth.users other where other.person_id = new.person_id and other.id <> new.id
        and (new.role = any (platform_roles) or other.role = any (platform_roles))) then
      raise exception 'a role of the platform has one home'
        using errcode = 'check_violation', constraint = 'platform_role_has_one_home';
    end if;
    return new;
  end $$;
revoke all on function auth.keep_platform_role_at_home() from public;
create trigger platform_role_has_one_home before insert or update of person_id, role on auth.users
  for each row execute function auth.keep_platform_role_at_home();`;

/** Whether an organization other than the given one lists a domain: its people are then not for others to invite. */
const DOMAIN_OF_ANOTHER = `
create function auth.is_domain_of_another(domain text, own_org text) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select exists (select from public.organizations o, jsonb_array_elements_text(o.email_domains) listed
      where o.id <> own_org and lower(listed) = lower(domain))
  $$;
revoke all on function auth.is_domain_of_another(text, text) from public;
grant execute on function auth.is_domain_of_another(text, text) to bindery_app, bindery_auth;`;

/** The name of an organization, for the list of a person's own. */
const ORGANIZATION_NAME = `
create function auth.organization_name(org_key text) returns text
  language sql stable security definer set search_path = ''
  as 'select name from public.organizations where id = org_key';
revoke all on function auth.organization_name(text) from public;
grant execute on function auth.organization_name(text) to bindery_auth;`;

/**
 * Offers somebody a place in the organization of the connection. It looks at the rows of that organization alone, so
 * its answer says nothing of any other. A self-registered row and an offer that was revoked or ran out make way for the
 * new one; null when the address is a member already or has an open offer.
 */
const INVITE_USER = `
drop function auth.invite_user(text, text, text, text);
create function auth.invite_user(
    new_id text, new_email text, new_name text, new_role text, new_hash text, lifetime_seconds int) returns text
  language plpgsql volatile security definer set search_path = ''
  as $$
  declare
    target text := nullif(current_setting('app.org_id', true), '');
    expires timestamptz := now() + lifetime_seconds * interval '1 second';
    found auth.users;
  begin
    if target is null then
      raise exception 'an invitation needs an organization' using errcode = 'insufficient_privilege';
    end if;
    insert into auth.users (id, org_id, email, name, role, origin, invitation_hash, invitation_expires_at)
      values (new_id, target, new_email, new_name, new_role, 'invited', new_hash, expires)
      on conflict (org_id, email) do nothing;
    select * into strict found from auth.users where org_id = target and email = new_email for update;
    if found.id = new_id and found.person_id is not null then return new_id; end if;
    if found.id <> new_id and found.origin <> 'self_registered' and (found.person_id is not null
        or (found.active and coalesce(found.invitation_expires_at, '-infinity') > now())) then
      return null;
    end if;
    -- A user whom the platform has promoted cannot be taken over, however they signed up.
    if found.id <> new_id and found.person_id is not null and found.role in ('superadmin', 'platform_operator') then
      return null;
    end if;
    if found.id <> new_id then
      delete from auth.sessions where user_id = found.id;
      update auth.users set person_id = null, member_since = null, last_used_at = null, email_verified = false,
        name = new_name, role = new_role, origin = 'invited', active = true, tokens_valid_from = now(),
        version = version + 1, updated_at = now() where id = found.id;
    end if;
    update auth.users set invitation_hash = new_hash, invitation_expires_at = expires where id = found.id;
    return found.id;
  end $$;
revoke all on function auth.invite_user(text, text, text, text, text, int) from public;
grant execute on function auth.invite_user(text, text, text, text, text, int) to bindery_app;`;

/** As before, of a membership or of a person without one, who belongs to the installation. */
const RECORD_AUDIT = `
create or replace function auth.record_audit(entry_id text, user_key text, what text, request_key text, facts jsonb)
  returns void
  language sql volatile security definer set search_path = ''
  as $$
    insert into public.audit_entries
      (id, org_id, actor_kind, actor_id, actor_role, action, entity_type, entity_id, request_id, changes)
      select entry_id, coalesce(u.org_id, '${PLATFORM_SCOPE}'), 'user', coalesce(u.id, p.id, 'unknown'),
        coalesce(u.role, 'none'), what, 'user', coalesce(u.id, p.id), request_key, facts
      from (values (user_key)) named (id)
        left join auth.users u on u.id = named.id left join auth.people p on p.id = named.id
  $$;`;
