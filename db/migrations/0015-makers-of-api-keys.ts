// API keys know who made them: in which role, and whether through the tuple of a platform operator.
import { Migration } from '@mikro-orm/migrations';

export class MakersOfApiKeys extends Migration {
  override readonly name = '0015-makers-of-api-keys';

  override up(): void {
    this.addSql(COLUMNS);
    this.addSql(MAKERS_OF_OLD_KEYS);
    this.addSql(MAKER_STANDINGS);
  }
}

const COLUMNS = `
alter table api_keys
  add column maker_role text collate "C" not null default 'org_admin'
    check (maker_role in ('org_admin', 'platform_operator')),
  add column through_operator boolean not null default false,
  add constraint api_keys_operators_only check (not through_operator or maker_role = 'platform_operator');
alter table api_keys alter column maker_role drop default, alter column through_operator drop default;
create index api_keys_of_maker on api_keys (org_id, created_by) where revoked_at is null;`;

/**
 * The audit knows the role in which an older key was made; where it does not, the key is an administrator's. A key that
 * a platform operator made in another organization is revoked where the tuple is gone. The owner need not be a
 * superuser, and then row-level security would hide the rows.
 */
export const MAKERS_OF_OLD_KEYS = `
alter table api_keys no force row level security;
alter table audit_entries no force row level security;
alter table relations no force row level security;
with operated as (
  select key.id,
    exists (select from relations tuple where tuple.org_id = key.org_id and tuple.object_type = 'organization'
      and tuple.object_id = key.org_id and tuple.relation = 'operator' and tuple.subject_id = key.created_by) as has_tuple,
    exists (select from auth.users maker where maker.id = key.created_by
      and maker.org_id is distinct from key.org_id) as is_from_elsewhere
  from api_keys key join audit_entries made on made.org_id = key.org_id and made.entity_id = key.id
  where made.action = 'api_key:create' and made.actor_role = 'platform_operator')
update api_keys key set maker_role = 'platform_operator', through_operator = has_tuple or is_from_elsewhere,
    revoked_at = case when is_from_elsewhere and not has_tuple then coalesce(revoked_at, now()) else revoked_at end
  from operated where operated.id = key.id;
alter table api_keys force row level security;
alter table audit_entries force row level security;
alter table relations force row level security;`;

/** The current standing of keys' makers, in any organization; no row for a maker who is not a stored user. */
const MAKER_STANDINGS = `
create function auth.maker_standings(makers text[]) returns table (user_id text, org_id text, role text, active boolean)
  language sql stable security definer set search_path = ''
  as 'select id, org_id, role, active from auth.users where id = any(makers)';
revoke all on function auth.maker_standings(text[]) from public;
grant execute on function auth.maker_standings(text[]) to bindery_app, bindery_ops;`;
