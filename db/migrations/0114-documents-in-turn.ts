// Documents are listed by the instant at which they were made: the id of one is that of what it was made for. Orders
// that nobody waits for are sent for in turn: each organization has one before any has its second. And a certificate
// knows whether its holder is to be told when it holds no longer.
import { Migration } from '@mikro-orm/migrations';

export class DocumentsInTurn extends Migration {
  override readonly name = '0114-documents-in-turn';

  override up(): void {
    this.addSql(BY_CREATION);
    this.addSql(CLAIM_DUE_ORDERS);
    this.addSql(HOLDERS_TO_TELL);
  }
}

const BY_CREATION = `
drop index documents_newest;
drop index documents_of_entity;
create index documents_newest on documents (org_id, created_at, id);
create index documents_of_entity on documents (org_id, entity_id, created_at, id);`;

/** Of one organization, at most as many are looked at as are claimed at once. */
const CLAIM_DUE_ORDERS = `
create index document_orders_due_of on document_orders (org_id, due_at) where made_at is null and failure is null;
create or replace function claim_due_orders(lease_seconds int, most int)
  returns table (org_id text, document_id text)
  language sql volatile security definer set search_path = ''
  as $$
    with recursive waiting as (
      (select o.org_id from public.document_orders o
        where o.made_at is null and o.failure is null order by o.org_id limit 1)
      union all
      select (select o.org_id from public.document_orders o
        where o.made_at is null and o.failure is null and o.org_id > w.org_id order by o.org_id limit 1)
      from waiting w where w.org_id is not null
    ),
    places as (
      select first.id, first.due_at, row_number() over (partition by w.org_id order by first.due_at, first.id) as place
        from waiting w cross join lateral (
          select o.id, o.due_at from public.document_orders o
            where o.org_id = w.org_id and o.made_at is null and o.failure is null and o.due_at < clock_timestamp()
            order by o.due_at, o.id limit most
        ) first
    ),
    due as (
      select o.id from public.document_orders o join places p on p.id = o.id
        where o.made_at is null and o.failure is null and o.due_at < clock_timestamp()
        order by p.place, p.due_at limit most for no key update of o skip locked
    )
    update public.document_orders o set due_at = clock_timestamp() + lease_seconds * interval '1 second'
      from due where o.id = due.id returning o.org_id, o.id
  $$;`;

const HOLDERS_TO_TELL = `
alter table certificates add column notify_holder boolean not null default false;`;
