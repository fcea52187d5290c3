// Queries on the deliveries of a subscription: claiming waiting ones, recording outcomes, listing and deleting them. A
// delivery is claimed before it is sent, in a separate transaction, so that nothing is sent twice.
import type { FilterQuery } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type ClaimedDelivery, type DeliveryResult, envelopeOf } from '../../../domain/delivery/delivery.ts';
import { DELIVERY_LOG_DAYS } from '../../../domain/limits.ts';
import { WebhookDelivery } from '../../entities/delivery/webhook-delivery.ts';
import { type PreparedStatement, preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { between, equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';

export interface DeliveryFilter {
  status?: string | undefined;
  eventType?: string | undefined;
  eventId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Any attempt has ended long before this, whatever its outcome. */
const ORPHANED_AFTER = "interval '15 seconds'";

interface ClaimedRow extends Omit<ClaimedDelivery, 'envelope'> {
  eventId: string;
  type: string;
  data: Record<string, unknown>;
  occurredAt: string;
}

/** What to send next: the oldest waiting deliveries of a subscription. */
export interface WantedDeliveries {
  webhookId: string;
  most: number;
}

const SENDING = `select c.id, c.webhook_id as "webhookId", w.url, w.secret, e.id as "eventId", e.type, e.data,
  to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
  array(select each ->> 'secret' from jsonb_array_elements(w.previous_secrets) with ordinality as p (each, n)
    where (each ->> 'until')::timestamptz > clock_timestamp() order by n) as "previousSecrets"`;

/**
 * Rows are found by lists of ids: planned once, the statement must not fall back to scanning a table that has grown.
 */
const KEEP = `update webhook_deliveries d set status = r.status, latency_ms = r."latencyMs", status_code = r."statusCode",
    response = r.response, error = r.error, updated_at = now()
  from jsonb_to_recordset($2::jsonb) as r(id text, status text, "latencyMs" int, "statusCode" int, response text, error text)
  where d.org_id = $1 and d.id = r.id and d.id = any ($3::text[]) and d.status in ('sending', 'unknown')`;

const KEEP_RESULTS: PreparedStatement = { name: 'keep results of deliveries', text: KEEP };

const KEEP_AND_CLAIM: PreparedStatement = {
  name: 'keep results and claim deliveries',
  text: `with kept as (${KEEP}), next as (
      select waiting.id from jsonb_to_recordset($4::jsonb) as wanted("webhookId" text, most int), lateral (
        select p.id from webhook_deliveries p
          where p.org_id = $1 and p.webhook_id = wanted."webhookId" and p.status = 'pending'
          order by p.position limit wanted.most for update skip locked) waiting
    ), claimed as (
      update webhook_deliveries d set status = 'sending', attempted_at = clock_timestamp(), updated_at = now()
        where d.org_id = $1 and d.id = any (array(select id from next))
        returning d.id, d.webhook_id, d.event_id, d.position
    )
    ${SENDING} from claimed c join webhooks w on w.org_id = $1 and w.id = c.webhook_id
      join events e on e.org_id = $1 and e.id = c.event_id
      order by c.position`,
};

/**
 * Records outcomes and claims what to send next, for any subscriptions of the organization: in one statement, so in one
 * commit.
 * @returns the claimed deliveries, oldest of each subscription first
 */
export async function keepAndClaim(
  em: EntityManager,
  results: readonly DeliveryResult[],
  wanted: readonly WantedDeliveries[],
): Promise<ClaimedDelivery[]> {
  const values = [...resultValues(em, results), JSON.stringify(wanted)];
  const rows = await preparedRows<ClaimedRow>(em, KEEP_AND_CLAIM, values);
  return rows.map((row) => claimedOf(organizationOf(em), row));
}

function resultValues(em: EntityManager, results: readonly DeliveryResult[]): unknown[] {
  return [organizationOf(em), JSON.stringify(results), results.map(({ id }) => id)];
}

function claimedOf(orgId: string, { eventId, type, data, occurredAt, ...rest }: ClaimedRow): ClaimedDelivery {
  return { ...rest, envelope: envelopeOf({ id: eventId, type, orgId, data, occurredAt: new Date(occurredAt) }) };
}

/**
 * Adds a delivery that the caller sends as soon as the transaction commits: a test or a redelivery.
 * @returns null if an earlier attempt of the same call added it
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

/** Records outcomes, including those of attempts given up as unknown in the meantime. */
export async function keepResults(em: EntityManager, results: readonly DeliveryResult[]): Promise<void> {
  await preparedRows(em, KEEP_RESULTS, resultValues(em, results));
}

const RELEASE: PreparedStatement = {
  name: 'release a webhook',
  text: `update webhooks w set delivering_until = null where org_id = $1 and id = $2 and not exists (
      select from webhook_deliveries d where d.webhook_id = w.id and d.status = 'pending') returning 1`,
};

/** Marks that no worker is on its way any longer, unless deliveries wait; false if some do. */
export async function releaseWebhook(em: EntityManager, webhookId: string): Promise<boolean> {
  const rows = await preparedRows(em, RELEASE, [organizationOf(em), webhookId]);
  return rows.length > 0;
}

const BEGIN_ROUND: PreparedStatement = {
  name: 'begin a round of deliveries',
  text: `with given_up as (
      update webhook_deliveries set status = 'unknown', error = 'outcome_unknown', updated_at = now()
        where org_id = $1 and webhook_id = $2 and status = 'sending' and attempted_at < clock_timestamp() - ${ORPHANED_AFTER}
    )
    select url from webhooks where org_id = $1 and id = $2`,
};

/**
 * Gives up attempts whose sender died before reporting the outcome. They are not resent.
 * @returns the target of the subscription
 */
export async function beginRound(em: EntityManager, webhookId: string): Promise<string> {
  const [webhook] = await preparedRows<{ url: string }>(em, BEGIN_ROUND, [organizationOf(em), webhookId]);
  if (webhook === undefined) throw new Error(`There is no subscription ${webhookId}.`);
  return webhook.url;
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
 * Removes old deliveries of any organization, except those waiting.
 * @returns the number removed
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
