// The order in which documents without a waiting caller are made: each organization has one before any has its second,
// notices and claim letters before other pages, and older before newer. Orders returned by the claim keep that order.
import { Migration } from '@mikro-orm/migrations';

export class NoticesFirst extends Migration {
  override readonly name = '0311-notices-first';

  override up(): void {
    this.addSql(NOTICES);
    this.addSql(CLAIM_DUE_ORDERS);
  }
}

/** The days of a notice count from its mailing, and a claim letter has a legal deadline. */
const NOTICES = `
alter table document_orders add column is_notice boolean not null
  generated always as (kind like '%\\_notice' or kind like 'claim\\_%') stored;
drop index document_orders_due_of;
create index document_orders_in_turn on document_orders (org_id, is_notice desc, created_at, id)
  where made_at is null and failure is null;`;

const CLAIM_DUE_ORDERS = `
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
      select first.id, row_number() over
          (partition by w.org_id order by first.is_notice desc, first.created_at, first.id) as place
        from waiting w cross join lateral (
          select o.id, o.is_notice, o.created_at from public.document_orders o
            where o.org_id = w.org_id and o.made_at is null and o.failure is null and o.due_at < clock_timestamp()
            order by o.is_notice desc, o.created_at, o.id limit most
        ) first
    ),
    due as (
      select o.id, p.place from public.document_orders o join places p on p.id = o.id
        where o.made_at is null and o.failure is null and o.due_at < clock_timestamp()
        order by p.place, o.is_notice desc, o.created_at limit most for no key update of o skip locked
    ),
    claimed as (
      update public.document_orders o set due_at = clock_timestamp() + lease_seconds * interval '1 second'
        from due where o.id = due.id returning o.org_id, o.id, due.place, o.is_notice, o.created_at
    )
    select c.org_id, c.id from claimed c order by c.place, c.is_notice desc, c.created_at, c.id
  $$;`;
