// A subscription's delivery log, its test, and redelivery. Tests and redeliveries are sent while the caller waits,
// after being committed as in progress. Spec 4.8, Contract 3.6.
import { z } from 'zod';
import { newId } from '../../../db/ids.ts';
import { writeLastRows } from '../../../db/new-rows.ts';
import { addClaimed, findDelivery, keepResults, listDeliveries } from '../../../db/queries/delivery/deliveries.ts';
import { findWebhook } from '../../../db/queries/delivery/webhooks.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import type { ClaimedDelivery } from '../../../domain/delivery/delivery.ts';
import { ensureActive } from '../../../domain/delivery/subscription.ts';
import { deliver } from '../../../providers/webhooks/deliver.ts';
import { allow } from '../../spine/access.ts';
import type { RuntimeDeps } from '../../spine/deps.ts';
import type { OrganizationDatabase } from '../../spine/route.ts';
import { route } from '../../spine/route.ts';
import { idParam, pageToWire } from '../../spine/schemas.ts';
import { notFound } from '../../spine/validation.ts';
import { present } from '../rows.ts';
import {
  WebhookDeliveryListQuery,
  WebhookDeliveryPageSchema,
  WebhookDeliverySchema,
  WebhookTestSchema,
} from './webhooks.schemas.ts';
import { webhookResource } from './webhooks.ts';
import { deliveryToWire } from './webhooks.wire.ts';

const facts = { tag: 'Webhooks', spec: '4.8, 6.2, Contract 3.6' };
const entityType = 'webhook';
const id = idParam('webhookSubscription');
const deliveryId = idParam('webhookDelivery');

const testWebhook = route({
  ...facts,
  method: 'post',
  path: '/webhooks/:id/test',
  operationId: 'testWebhook',
  summary: 'Send a `webhook.test` event to a webhook',
  description:
    'It goes to this webhook only, whichever events it subscribes to. The response says how the receiver responded.',
  access: allow('webhook:manage', webhookResource),
  params: z.strictObject({ id }),
  response: { status: 200, body: WebhookTestSchema },
  errors: ['subscription_inactive'],
  handler: async ({ row: { id: webhookId }, actor, requestId, command, db, deps }) => {
    const newDeliveryId = newId('webhookDelivery', command.seedUuid);
    const claimed = await db.transaction(async (em) => {
      ensureActive(present(await findWebhook(em, webhookId)).status);
      if ((await findDelivery(em, webhookId, newDeliveryId)) !== null) return null;
      const data = { webhookId, message: 'This is a test.' };
      writeAudit(em, { actor, action: 'webhook:test', entityType, entityId: webhookId, requestId, changes: {} });
      const { id: eventId } = writeEvent(em, 'webhook.test', data, new Date(deps.now()));
      // The delivery refers to the event.
      await writeLastRows(em);
      return addClaimed(em, { id: newDeliveryId, webhookId, eventId, redeliveryOf: null });
    });
    await sendNow(claimed, { db, deps });
    const row = present(await db.read((em) => findDelivery(em, webhookId, newDeliveryId)));
    const { status, statusCode, latencyMs, error } = row;
    const answer = { delivered: status === 'delivered', statusCode, latencyMs, deliveryId: row.id };
    return error === null ? answer : { ...answer, error };
  },
});

const listDeliveriesRoute = route({
  ...facts,
  method: 'get',
  path: '/webhooks/:id/deliveries',
  operationId: 'listWebhookDeliveries',
  summary: 'List the deliveries of a webhook, newest first',
  description: 'Deliveries are kept for 30 days. Filter by status, event or time to see what your server answered.',
  access: allow('webhook:read', webhookResource),
  params: z.strictObject({ id }),
  query: WebhookDeliveryListQuery,
  response: { status: 200, body: WebhookDeliveryPageSchema },
  errors: [],
  handler: async ({ row, query: { limit, cursor, from, to, ...filter }, db }) => {
    const range = { from: from === undefined ? from : new Date(from), to: to === undefined ? to : new Date(to) };
    const page = { limit, cursor: cursor ?? null };
    return pageToWire(await db.read((em) => listDeliveries(em, row.id, { ...filter, ...range }, page)), deliveryToWire);
  },
});

const redeliver = route({
  ...facts,
  method: 'post',
  path: '/webhooks/:id/deliveries/:deliveryId/redeliver',
  operationId: 'redeliverWebhookDelivery',
  summary: 'Deliver an event again',
  description:
    'A new delivery of the same event, with its own id, is sent immediately. The id of the event in the body stays the same.',
  access: allow('webhook:manage', webhookResource),
  params: z.strictObject({ id, deliveryId }),
  response: { status: 200, body: WebhookDeliverySchema },
  errors: ['not_found', 'subscription_inactive'],
  handler: async ({ row: { id: webhookId }, params, actor, requestId, command, db, deps }) => {
    const newDeliveryId = newId('webhookDelivery', command.seedUuid);
    const claimed = await db.transaction(async (em) => {
      const original = await findDelivery(em, webhookId, params.deliveryId);
      if (original === null) throw notFound('delivery');
      ensureActive(present(await findWebhook(em, webhookId)).status);
      const changes = { deliveryId: { before: null, after: original.id } };
      writeAudit(em, { actor, action: 'webhook:redeliver', entityType, entityId: webhookId, requestId, changes });
      const { eventId } = original;
      return addClaimed(em, { id: newDeliveryId, webhookId, eventId, redeliveryOf: original.id });
    });
    await sendNow(claimed, { db, deps });
    return deliveryToWire(present(await db.read((em) => findDelivery(em, webhookId, newDeliveryId))));
  },
});

export const webhookDeliveryRoutes = [testWebhook, listDeliveriesRoute, redeliver];

/** Null: an earlier attempt of the same call already sent it. */
async function sendNow(
  claimed: ClaimedDelivery | null,
  { db, deps }: { db: OrganizationDatabase; deps: RuntimeDeps },
): Promise<void> {
  if (claimed === null) return;
  const { webhooks: sender, config, now } = deps;
  const result = await deliver(claimed, { sender, payloadKeys: config.payloadKeys, now });
  await db.transaction((em) => keepResults(em, [result]));
}
