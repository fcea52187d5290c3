// How organizations are kept apart: the procedures that every later migration calls for each of its tables.
import { Migration } from '@mikro-orm/migrations';

export class Tenancy extends Migration {
  override readonly name = '0001-tenancy';

  override up(): void {
    this.addSql(PROTECT_TENANT_TABLE);
    this.addSql(MAKE_APPEND_ONLY);
    this.addSql(REJECT_CHANGE);
    this.addSql('revoke all on procedure protect_tenant_table, make_append_only from public');
  }
}

/** The application sees and writes the rows of the organization that its connection names; operations, those of all. */
const PROTECT_TENANT_TABLE = `
create procedure protect_tenant_table(target regclass, org_column text default 'org_id') language plpgsql as $$
declare
  mine text := format('%I = (select nullif(current_setting(''app.org_id'', true), ''''))', org_column);
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy own_organization on %s to bindery_app using (%s) with check (%s)', target, mine, mine);
  execute format('create policy every_organization on %s to bindery_ops using (true) with check (true)', target);
  execute format('grant select, insert, update, delete on %s to bindery_app, bindery_ops', target);
end
$$`;

/** Rows can be added and read, and nobody, the owner included, can change or remove them. */
const MAKE_APPEND_ONLY = `
create procedure make_append_only(target regclass) language plpgsql as $$
begin
  execute format('revoke update, delete on %s from bindery_app, bindery_ops', target);
  execute format('create trigger append_only before update or delete or truncate on %s '
    'for each statement execute function reject_change()', target);
end
$$`;

const REJECT_CHANGE = `
create function reject_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or removed', tg_table_name using errcode = 'restrict_violation';
end
$$`;
