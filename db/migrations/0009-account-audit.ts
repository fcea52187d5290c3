// The audit of accounts: the authentication service adds a row in the transaction of the recorded change, through a
// function that lets it record only one user's facts, in that user's name.
import { Migration } from '@mikro-orm/migrations';
import { PLATFORM_SCOPE } from '../scope.ts';

export class AccountAudit extends Migration {
  override readonly name = '0009-account-audit';

  override up(): void {
    this.addSql(ROWS_OF_FUNCTIONS);
    this.addSql(RECORD_AUDIT);
  }
}

/** The owner's functions may add rows, here and through the trigger that links a new row to the chain. */
const ROWS_OF_FUNCTIONS = `
create policy rows_of_functions on audit_entries for insert to current_user with check (true);
create policy rows_of_functions on audit_links for insert to current_user with check (true);`;

/**
 * Organization and role are read from the user's row; a row about nobody known belongs to the installation.
 */
const RECORD_AUDIT = `
create function auth.record_audit(entry_id text, user_key text, what text, request_key text, facts jsonb) returns void
  language sql volatile security definer set search_path = ''
  as $$
    insert into public.audit_entries
      (id, org_id, actor_kind, actor_id, actor_role, action, entity_type, entity_id, request_id, changes)
      select entry_id, coalesce(u.org_id, '${PLATFORM_SCOPE}'), 'user', coalesce(u.id, 'unknown'), coalesce(u.role, 'none'),
        what, 'user', u.id, request_key, facts
      from (values (user_key)) asked (id) left join auth.users u on u.id = asked.id
  $$;
revoke all on function auth.record_audit(text, text, text, text, jsonb) from public;
grant execute on function auth.record_audit(text, text, text, text, jsonb) to bindery_auth;`;
