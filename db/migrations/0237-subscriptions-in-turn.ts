// Subscriptions whose deliveries wait are sent for in turn: one of each organization before the second of any. Many of
// one organization that come due together put off nobody else's.
import { Migration } from '@mikro-orm/migrations';

export class SubscriptionsInTurn extends Migration {
  override readonly name = '0237-subscriptions-in-turn';

  override up(): void {
    this.addSql(CLAIM_DUE_WEBHOOKS);
  }
}

const CLAIM_DUE_WEBHOOKS = `
create or replace function claim_due_webhooks(lease_seconds int, most int)
  returns table (org_id text, webhook_id text)
  language sql volatile security definer set search_path = ''
  as $$
    with recursive waiting (id) as (
      (select d.webhook_id from public.webhook_deliveries d where d.status = 'pending' order by d.webhook_id limit 1)
      union all
      select (select d.webhook_id from public.webhook_deliveries d
          where d.status = 'pending' and d.webhook_id > w.id order by d.webhook_id limit 1)
        from waiting w where w.id is not null
    ), orphaned as (
      select d.webhook_id as id from public.webhook_deliveries d
        where d.status = 'sending' and d.attempted_at < clock_timestamp() - interval '15 seconds'
    ), in_turn as (
      select w.id, row_number() over (partition by w.org_id order by w.delivering_until nulls first, w.id) as turn
        from public.webhooks w
        where w.id in (select id from waiting union select id from orphaned)
          and (w.delivering_until is null or w.delivering_until < clock_timestamp())
    ), due as (
      select w.id from public.webhooks w join in_turn t on t.id = w.id
        where w.delivering_until is null or w.delivering_until < clock_timestamp()
        order by t.turn limit most for no key update of w skip locked
    )
    update public.webhooks w set delivering_until = clock_timestamp() + lease_seconds * interval '1 second'
      from due where w.id = due.id returning w.org_id, w.id
  $$;`;
