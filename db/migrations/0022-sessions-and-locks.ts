// What a session stands on: the password or identity it was opened with, and an active membership of its person. Both
// are held by the database, because the library writes sessions on connections of its own. And the one order in which
// accounts are locked: people, then users, then sessions.
import { Migration } from '@mikro-orm/migrations';

export class SessionsAndLocks extends Migration {
  override readonly name = '0022-sessions-and-locks';

  override up(): void {
    this.addSql(SESSION_OF_CREDENTIAL);
    this.addSql(SESSION_OF_ACTIVE_MEMBER);
    this.addSql(HOLD_PEOPLE);
    this.addSql(NEVER_WAIT_FOR_PEOPLE);
  }
}

/**
 * A new password is a new row. So a sign-in that proved the old one while it was being replaced opens no session: its
 * row waits for the replacement and then finds the old one gone.
 */
const SESSION_OF_CREDENTIAL = `
alter table auth.sessions add account_id text collate "C"
  constraint session_of_credential references auth.accounts (id) on delete cascade;
update auth.sessions s set account_id = (select min(a.id) from auth.accounts a where a.person_id = s.person_id);
delete from auth.sessions where account_id is null;
alter table auth.sessions alter account_id set not null;
create index sessions_of_account on auth.sessions (account_id);`;

/** Waits for a deactivation that is under way, and refuses after it; one that comes later finds the session. */
const SESSION_OF_ACTIVE_MEMBER = `
create function auth.keep_sessions_to_members() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
  begin
    perform from auth.people where id = new.person_id for key share;
    perform from auth.users where id = new.user_id and person_id = new.person_id and active for share;
    if not found then
      raise exception 'a session acts for an active member'
        using errcode = 'check_violation', constraint = 'session_of_active_member';
    end if;
    return new;
  end $$;
revoke all on function auth.keep_sessions_to_members() from public;
create trigger session_of_active_member before insert or update of user_id on auth.sessions
  for each row execute function auth.keep_sessions_to_members();`;

/**
 * Locks the people of users of the connection's organization before their rows are locked. By address, so that somebody
 * who is accepting an offer at this moment is among them.
 */
const HOLD_PEOPLE = `
create function auth.hold_people(user_keys text[]) returns void
  language sql volatile security definer set search_path = ''
  as $$
    select from auth.people where email in (select email from auth.users
      where id = any (user_keys) and org_id = current_setting('app.org_id', true)) order by id for update
  $$;
revoke all on function auth.hold_people(text[]) from public;
grant execute on function auth.hold_people(text[]) to bindery_app;`;

/** As in 0013. Whoever gives a role of the platform holds the person by now; nobody waits for one after a user. */
const NEVER_WAIT_FOR_PEOPLE = `
create or replace function auth.keep_platform_role_at_home() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
  declare
    platform_roles constant text[] := array['superadmin', 'platform_operator'];
  begin
    if new.person_id is null then return new; end if;
    if new.role = any (platform_roles) then
      perform from auth.people where id = new.person_id for update nowait;
    end if;
    if exists (select from auth.users other where other.person_id = new.person_id and other.id <> new.id
        and (new.role = any (platform_roles) or other.role = any (platform_roles))) then
      raise exception 'a role of the platform has one home'
        using errcode = 'check_violation', constraint = 'platform_role_has_one_home';
    end if;
    return new;
  end $$;`;
