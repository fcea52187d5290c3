// Queries on the deliveries of a subscription: claiming what waits, keeping how attempts ended, listing and forgetting
// them. A delivery is claimed before it is sent, in a transaction of its own: nothing is sent twice.
import type { FilterQuery } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type ClaimedDelivery, type DeliveryResult, envelopeOf } from '../../../domain/delivery/delivery.ts';
import { DELIVERY_LOG_DAYS } from '../../../domain/limits.ts';
import { WebhookDelivery } from '../../entities/delivery/webhook-delivery.ts';
import { organizationOf } from '../../scope.ts';
import { between, equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';

export interface DeliveryFilter {
  status?: string | undefined;
  eventType?: string | undefined;
  eventId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** An attempt has ended long before this, whatever its end was. */
const ORPHANED_AFTER = "interval '15 seconds'";

interface ClaimedRow extends Omit<ClaimedDelivery, 'envelope'> {
  eventId: string;
  type: string;
  data: Record<string, unknown>;
  occurredAt: string;
}

/** Claims the oldest waiting deliveries of a subscription. */
export async function claimPending(em: EntityManager, webhookId: string, most: number): Promise<ClaimedDelivery[]> {
  const orgId = organizationOf(em);
  const rows = await em.execute<ClaimedRow[]>(
    `with next as (
       select id from webhook_deliveries where org_id = ? and webhook_id = ? and status = 'pending'
         order by position limit ? for update skip locked
     ), claimed as (
       update webhook_deliveries d set status = 'sending', attempted_at = clock_timestamp(), updated_at = now()
         from next where d.id = next.id returning d.id, d.webhook_id, d.event_id, d.position
     )
     ${SENDING} from claimed c join webhooks w on w.id = c.webhook_id join events e on e.id = c.event_id
       order by c.position`,
    [orgId, webhookId, most],
  );
  return rows.map((row) => claimedOf(orgId, row));
}

const SENDING = `select c.id, c.webhook_id as "webhookId", w.url, w.secret, e.id as "eventId", e.type, e.data,
  to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
  case when w.previous_secret_until > clock_timestamp() then w.previous_secret end as "previousSecret"`;

function claimedOf(orgId: string, { eventId, type, data, occurredAt, ...rest }: ClaimedRow): ClaimedDelivery {
  return { ...rest, envelope: envelopeOf({ id: eventId, type, orgId, data, occurredAt: new Date(occurredAt) }) };
}

/**
 * Adds a delivery that its caller sends as soon as the transaction has committed: a test, or a repetition.
 * @returns null when an earlier attempt of the same call has added it
 */
export async function addClaimed(
  em: EntityManager,
  {
    id,
    webhookId,
    eventId,
    redeliveryOf,
  }: { id: string; webhookId: string; eventId: string; redeliveryOf: string | null },
): Promise<ClaimedDelivery | null> {
  const orgId = organizationOf(em);
  const [row] = await em.execute<ClaimedRow[]>(
    `with c as (
       insert into webhook_deliveries
           (id, org_id, webhook_id, event_id, event_type, position, status, attempted_at, redelivery_of)
         select ?, org_id, ?, id, type, position, 'sending', clock_timestamp(), ? from events where org_id = ? and id = ?
         on conflict (id) do nothing returning id, webhook_id, event_id
     )
     ${SENDING} from c join webhooks w on w.id = c.webhook_id join events e on e.id = c.event_id`,
    [id, webhookId, redeliveryOf, orgId, eventId],
  );
  return row === undefined ? null : claimedOf(orgId, row);
}

/** Keeps how attempts ended, also of those that had been given up as unknown meanwhile. */
export async function keepResults(em: EntityManager, results: readonly DeliveryResult[]): Promise<void> {
  if (results.length === 0) return;
  await em.execute(
    `update webhook_deliveries d set status = r.status, latency_ms = r."latencyMs", status_code = r."statusCode",
         response = r.response, error = r.error, updated_at = now()
       from jsonb_to_recordset(?::jsonb) as r(id text, status text, "latencyMs" int, "statusCode" int, response text, error text)
       where d.org_id = ? and d.id = r.id and d.status in ('sending', 'unknown')`,
    [JSON.stringify(results), organizationOf(em)],
  );
}

/** Says that nobody has been sent for any more, unless deliveries wait; false when some do. */
export async function releaseWebhook(em: EntityManager, webhookId: string): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    `update webhooks w set delivering_until = null where org_id = ? and id = ? and not exists (
       select from webhook_deliveries d where d.webhook_id = w.id and d.status = 'pending') returning 1`,
    [organizationOf(em), webhookId],
  );
  return rows.length > 0;
}

/** Gives up attempts whose sender has not lived to say how they ended. They are not sent again. */
export async function giveUpOrphans(em: EntityManager, webhookId: string): Promise<void> {
  await em.execute(
    `update webhook_deliveries set status = 'unknown', error = 'outcome_unknown', updated_at = now()
       where org_id = ? and webhook_id = ? and status = 'sending' and attempted_at < clock_timestamp() - ${ORPHANED_AFTER}`,
    [organizationOf(em), webhookId],
  );
}

/** Reads a delivery of a subscription; null for none. */
export function findDelivery(em: EntityManager, webhookId: string, id: string): Promise<WebhookDelivery | null> {
  return em.findOne(WebhookDelivery, { id, webhookId });
}

/** Reads a page of a subscription's deliveries, newest first. @throws DomainError validation_failed for a bad cursor */
export function listDeliveries(
  em: EntityManager,
  webhookId: string,
  { from, to, ...equal }: DeliveryFilter,
  page: PageRequest,
): Promise<Page<WebhookDelivery>> {
  const range = between(from, to);
  const conditions: FilterQuery<WebhookDelivery>[] = [{ webhookId }, equalTo(equal)];
  if (range !== null) conditions.push({ createdAt: range });
  return pageOf(em, WebhookDelivery, conditions, page);
}

/**
 * Removes old deliveries of any organization, those that wait excepted.
 * @returns how many
 */
export async function forgetDeliveries(em: EntityManager, nowMs: number, most: number): Promise<number> {
  const before = new Date(nowMs - DELIVERY_LOG_DAYS * 86_400_000);
  const rows = await em.execute<unknown[]>(
    `delete from webhook_deliveries where id in (
       select id from webhook_deliveries where created_at < ? and status <> 'pending' limit ?) returning 1`,
    [before, most],
  );
  return rows.length;
}
