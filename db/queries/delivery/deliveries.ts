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

/** What was claimed; each subscription and each event once, however many deliveries share it. */
interface Claimed {
  webhooks: (Pick<ClaimedDelivery, 'url' | 'secret' | 'previousSecrets'> & {
    id: string;
    /** The oldest first. */
    deliveries: { id: string; eventId: string; position: number }[];
  })[];
  events: { id: string; type: string; data: Record<string, unknown>; occurredAt: string }[];
}

/** What to send next: the oldest waiting deliveries of a subscription. */
export interface WantedDeliveries {
  webhookId: string;
  most: number;
  /**
   * The position of the last one claimed, or 0: the search begins behind it, not at the entries of all that were
   * claimed before.
   */
  after: number;
}

/** Rows are found by lists of ids: planned once, a statement must not fall back to scanning a table that has grown. */
const CLAIMED = `select
  coalesce((select json_agg(json_build_object('id', w.id, 'url', w.url, 'secret', w.secret,
      'previousSecrets', array(select each ->> 'secret'
        from jsonb_array_elements(w.previous_secrets) with ordinality as p (each, n)
        where (each ->> 'until')::timestamptz > clock_timestamp() order by n),
      'deliveries', (select json_agg(json_build_object('id', c.id, 'eventId', c.event_id, 'position', c.position)
        order by c.position) from claimed c where c.webhook_id = w.id)))
    from webhooks w where w.org_id = $1 and w.id = any (array(select webhook_id from claimed))), '[]') as webhooks,
  coalesce((select json_agg(json_build_object(
      'id', e.id, 'type', e.type, 'data', e.data, 'occurredAt', e.occurred_at))
    from events e where e.org_id = $1 and e.id = any (array(select event_id from claimed))), '[]') as events`;

const KEEP = `kept as (
    update webhook_deliveries d set status = r.status, latency_ms = r."latencyMs", status_code = r."statusCode",
        response = r.response, error = r.error, updated_at = now()
      from jsonb_to_recordset($2::jsonb)
        as r(id text, status text, "latencyMs" int, "statusCode" int, response text, error text)
      where d.org_id = $1 and d.id = r.id and d.id = any ($3::text[]) and d.status in ('sending', 'unknown')
  ), closed as (
    delete from sending_deliveries where org_id = $1 and id = any ($3::text[])
  )`;

const KEEP_RESULTS: PreparedStatement = { name: 'keep results of deliveries', text: `with ${KEEP} select` };

const KEEP_AND_CLAIM: PreparedStatement = {
  name: 'keep results and claim deliveries',
  text: `with ${KEEP}, next as (
      select waiting.* from jsonb_to_recordset($4::jsonb) as wanted("webhookId" text, most int, after bigint), lateral (
        select w.id, w.webhook_id, w.position, w.ctid as place from waiting_deliveries w
          where w.org_id = $1 and w.webhook_id = wanted."webhookId" and w.position > wanted.after
          order by w.position limit wanted.most for update skip locked) waiting
    ), taken as (
      delete from waiting_deliveries where org_id = $1 and ctid = any (array(select place from next))
    ), begun as (
      insert into sending_deliveries (id, org_id, webhook_id) select id, $1, webhook_id from next
    ), claimed as (
      update webhook_deliveries d set status = 'sending', attempted_at = clock_timestamp(), updated_at = now()
        where d.org_id = $1 and d.id = any (array(select id from next)) and d.status = 'pending'
        returning d.id, d.webhook_id, d.event_id, d.position
    )
    ${CLAIMED}`,
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
  return claimedBy(em, KEEP_AND_CLAIM, values);
}

function resultValues(em: EntityManager, results: readonly DeliveryResult[]): unknown[] {
  return [organizationOf(em), JSON.stringify(results), results.map(({ id }) => id)];
}

async function claimedBy(
  em: EntityManager,
  statement: PreparedStatement,
  values: readonly unknown[],
): Promise<ClaimedDelivery[]> {
  const [claimed] = await preparedRows<Claimed>(em, statement, values);
  const { webhooks, events } = claimed ?? { webhooks: [], events: [] };
  const orgId = organizationOf(em);
  const envelopes = new Map(
    events.map(({ occurredAt, ...event }) => [
      event.id,
      envelopeOf({ ...event, orgId, occurredAt: new Date(occurredAt) }),
    ]),
  );
  return webhooks.flatMap(({ id: webhookId, deliveries, ...target }) =>
    deliveries.flatMap(({ id, eventId, position }) => {
      const envelope = envelopes.get(eventId);
      return envelope === undefined ? [] : { id, webhookId, position, ...target, envelope };
    }),
  );
}

const ADD_CLAIMED: PreparedStatement = {
  name: 'add a claimed delivery',
  text: `with claimed as (
      insert into webhook_deliveries
          (id, org_id, webhook_id, event_id, event_type, position, status, attempted_at, redelivery_of)
        select $2, $1, $3, id, type, position, 'sending', clock_timestamp(), $5 from events where org_id = $1 and id = $4
        on conflict (id) do nothing returning id, webhook_id, event_id, position
    ), begun as (
      insert into sending_deliveries (id, org_id, webhook_id) select id, $1, webhook_id from claimed
    )
    ${CLAIMED}`,
};

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
  const values = [organizationOf(em), id, webhookId, eventId, redeliveryOf];
  const [claimed] = await claimedBy(em, ADD_CLAIMED, values);
  return claimed ?? null;
}

/** Records outcomes, including those of attempts given up as unknown in the meantime. */
export async function keepResults(em: EntityManager, results: readonly DeliveryResult[]): Promise<void> {
  await preparedRows(em, KEEP_RESULTS, resultValues(em, results));
}

const RELEASE: PreparedStatement = {
  name: 'release a webhook',
  text: `update webhooks w set delivering_until = null where org_id = $1 and id = $2 and not exists (
      select from waiting_deliveries d where d.org_id = w.org_id and d.webhook_id = w.id) returning 1`,
};

/** Marks that no worker is on its way any longer, unless deliveries wait; false if some do. */
export async function releaseWebhook(em: EntityManager, webhookId: string): Promise<boolean> {
  const rows = await preparedRows(em, RELEASE, [organizationOf(em), webhookId]);
  return rows.length > 0;
}

const BEGIN_ROUND: PreparedStatement = {
  name: 'begin a round of deliveries',
  text: `with orphaned as (
      delete from sending_deliveries
        where org_id = $1 and webhook_id = $2 and claimed_at < clock_timestamp() - ${ORPHANED_AFTER} returning id
    ), given_up as (
      update webhook_deliveries set status = 'unknown', error = 'outcome_unknown', updated_at = now()
        where org_id = $1 and id = any (array(select id from orphaned)) and status = 'sending'
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
 * Removes old deliveries of any organization, except open ones.
 * @returns the number removed
 */
export async function forgetDeliveries(em: EntityManager, nowMs: number, most: number): Promise<number> {
  const before = new Date(nowMs - DELIVERY_LOG_DAYS * 86_400_000);
  const rows = await em.execute<unknown[]>(
    `delete from webhook_deliveries where id in (
       select id from webhook_deliveries where created_at < ? and status not in ('pending', 'sending') limit ?) returning 1`,
    [before, most],
  );
  return rows.length;
}
