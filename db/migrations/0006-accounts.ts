// Who signs in: the schema of the authentication service, and the key-value store of codes and counters. The service's
// role reaches this schema alone. The application reads the users of its organization under row-level security; it
// reads everything else about an account through the functions at the end, each of which answers one question.
import { Migration } from '@mikro-orm/migrations';

export class Accounts extends Migration {
  override readonly name = '0006-accounts';

  override up(): void {
    this.addSql(SCHEMA);
    this.addSql(USERS);
    this.addSql(SESSIONS);
    this.addSql(SIGN_IN_METHODS);
    this.addSql(KV_ENTRIES);
    this.addSql(ORGANIZATIONS_OF_SIGN_UP);
    this.addSql(LIVE_SESSION);
    this.addSql(USER_STANDING);
    this.addSql(INVITE_USER);
    this.addSql(END_SESSIONS);
    this.addSql(FIND_POLICY);
  }
}

const SCHEMA = `
create schema auth;
grant usage on schema auth to bindery_auth, bindery_app, bindery_ops;`;

/**
 * A user without an organization signed up on their own and sees nothing. The application changes a few columns;
 * inviting and ending sessions are functions.
 */
const USERS = `
create table auth.users (
  id text collate "C" primary key,
  org_id text collate "C" references organizations (id) deferrable initially deferred,
  email text collate "C" not null constraint users_email_unique unique check (email = lower(email)),
  name text not null,
  role text collate "C" check (role in ('superadmin', 'org_admin', 'platform_operator', 'finance_analyst',
    'compliance_officer', 'underwriter', 'producer', 'claims_adjuster', 'claims_supervisor', 'billing_admin', 'auditor')),
  active boolean not null default true,
  origin text collate "C" not null default 'self_registered' check (origin in ('seeded', 'invited', 'domain', 'self_registered')),
  email_verified boolean not null default false,
  image text,
  tokens_valid_from timestamptz(3),
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((org_id is null) = (role is null))
);
create index users_of_organization on auth.users (org_id, id);
call protect_tenant_table('auth.users');
revoke insert, update, delete on auth.users from bindery_app, bindery_ops;
grant update (name, role, active, tokens_valid_from, version, updated_at) on auth.users to bindery_app;
create policy authentication on auth.users to bindery_auth using (true) with check (true);
create policy answers_of_functions on auth.users to current_user using (true) with check (true);
grant select, insert, update on auth.users to bindery_auth;`;

const SESSIONS = `
create table auth.sessions (
  id text collate "C" primary key,
  token text collate "C" not null constraint sessions_token_unique unique,
  user_id text collate "C" not null references auth.users (id) on delete cascade,
  expires_at timestamptz(3) not null,
  ip_address text,
  user_agent text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index sessions_of_user on auth.sessions (user_id);
create index sessions_expiry on auth.sessions (expires_at);
grant select, insert, update, delete on auth.sessions to bindery_auth;`;

/** A password (provider credential) or an identity at the corporate provider; one identity belongs to one user. */
const SIGN_IN_METHODS = `
create table auth.accounts (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  provider_id text collate "C" not null,
  user_id text collate "C" not null references auth.users (id) on delete cascade,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz(3),
  refresh_token_expires_at timestamptz(3),
  scope text,
  password text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint accounts_identity_unique unique (provider_id, account_id)
);
create index accounts_of_user on auth.accounts (user_id);
create table auth.verifications (
  id text collate "C" primary key,
  identifier text collate "C" not null,
  value text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index verifications_of_identifier on auth.verifications (identifier);
grant select, insert, update, delete on auth.accounts, auth.verifications to bindery_auth;`;

/** Belongs to no organization: its keys are hashes or name what they count. */
const KV_ENTRIES = `
create table kv_entries (
  key text collate "C" primary key,
  value jsonb not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index kv_entries_expiry on kv_entries (expires_at);
grant select, insert, update, delete on kv_entries to bindery_app, bindery_ops;`;

/** Which organization someone joins who was not invited. A domain that two organizations list opens neither. */
const ORGANIZATIONS_OF_SIGN_UP = `
create policy answers_of_functions on organizations for select to current_user using (true);
create function auth.organization_of_domain(domain text) returns text
  language sql stable security definer set search_path = ''
  as $$
    select case when count(*) = 1 then min(id) end from public.organizations
      where exists (select from jsonb_array_elements_text(email_domains) listed where lower(listed) = lower(domain))
  $$;
create function auth.demo_organization() returns text
  language sql stable security definer set search_path = ''
  as 'select id from public.organizations where is_demo';
revoke all on function auth.organization_of_domain(text), auth.demo_organization() from public;
grant execute on function auth.organization_of_domain(text), auth.demo_organization() to bindery_auth;`;

/** The session with that token or that id, while it lives; the API exchanges it for a token. */
const LIVE_SESSION = `
create function auth.live_session(by_token text, by_id text)
  returns table (
    session_id text, expires_at timestamptz, user_id text, email text, role text, org_id text, active boolean
  )
  language sql stable security definer set search_path = ''
  as $$
    select s.id, s.expires_at, u.id, u.email, u.role, u.org_id, u.active
      from auth.sessions s join auth.users u on u.id = s.user_id
      where (s.token = by_token or s.id = by_id) and s.expires_at > now()
  $$;
revoke all on function auth.live_session(text, text) from public;
grant execute on function auth.live_session(text, text) to bindery_app;`;

/**
 * Whether a stored user may still be served, in any organization they act in; no row for a subject that is not stored.
 */
const USER_STANDING = `
create function auth.user_standing(user_key text) returns table (active boolean, tokens_valid_from timestamptz)
  language sql stable security definer set search_path = ''
  as 'select active, tokens_valid_from from auth.users where id = user_key';
revoke all on function auth.user_standing(text) from public;
grant execute on function auth.user_standing(text) to bindery_app, bindery_ops;`;

/**
 * Makes someone a user of the organization of the connection. A row that signed up by itself is taken over, without the
 * password and sessions it had: nobody has proved yet that the mailbox is theirs. Null when the address is already a
 * member.
 */
const INVITE_USER = `
create function auth.invite_user(new_id text, new_email text, new_name text, new_role text) returns text
  language plpgsql volatile security definer set search_path = ''
  as $$
  declare
    target text := nullif(current_setting('app.org_id', true), '');
    found auth.users;
  begin
    if target is null then
      raise exception 'an invitation needs an organization' using errcode = 'insufficient_privilege';
    end if;
    insert into auth.users (id, org_id, email, name, role, origin)
      values (new_id, target, new_email, new_name, new_role, 'invited') on conflict (email) do nothing;
    select * into strict found from auth.users where email = new_email for update;
    if found.id = new_id then return new_id; end if;
    if found.origin <> 'self_registered' then return null; end if;
    delete from auth.sessions where user_id = found.id;
    delete from auth.accounts where user_id = found.id;
    update auth.users set org_id = target, name = new_name, role = new_role, origin = 'invited', email_verified = false,
      active = true, tokens_valid_from = now(), version = version + 1, updated_at = now() where id = found.id;
    return found.id;
  end $$;
revoke all on function auth.invite_user(text, text, text, text) from public;
grant execute on function auth.invite_user(text, text, text, text) to bindery_app;`;

/** Signs a user of the organization of the connection out everywhere. */
const END_SESSIONS = `
create function auth.end_sessions(user_key text) returns void
  language sql volatile security definer set search_path = ''
  as $$
    delete from auth.sessions s using auth.users u
      where s.user_id = user_key and u.id = s.user_id and u.org_id = current_setting('app.org_id', true)
  $$;
revoke all on function auth.end_sessions(text) from public;
grant execute on function auth.end_sessions(text) to bindery_app;`;

/** A policy number names a policy before its organization is known: for one-time codes and their tokens. */
const FIND_POLICY = `
create policy lookup_by_number on policies for select to current_user using (true);
create function find_policy_by_number(number text)
  returns table (policy_id text, org_id text, policy_number text, insured_name text, insured_email text)
  language sql stable security definer set search_path = ''
  as $$
    select id, org_id, policy_number, insured_name, insured_email from public.policies where policy_number = number
  $$;
revoke all on function find_policy_by_number(text) from public;
grant execute on function find_policy_by_number(text) to bindery_app;`;
