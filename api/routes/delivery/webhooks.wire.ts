// Maps webhook subscriptions and deliveries from rows to the wire. Pure: no secret gets out. Spec 2.8, Contract 3.6.
import type { Webhook } from '../../../db/entities/delivery/webhook.ts';
import type { WebhookDelivery } from '../../../db/entities/delivery/webhook-delivery.ts';
import { livingSecrets } from '../../../domain/delivery/subscription.ts';
import type { EventType } from '../../../domain/events.ts';
import { uuidOf } from '../../../domain/ids.ts';
import type { WebhookDeliveryWire, WebhookWire } from './webhooks.schemas.ts';

/** Returns a subscription without its secrets. */
export function webhookToWire(row: Webhook, nowMs: number): WebhookWire {
  const { id, orgId, url, events, description, status, version, previousSecrets } = row;
  const [oldest] = livingSecrets(previousSecrets, nowMs);
  return {
    ...{ id, orgId, url, events, description, active: status === 'active', status },
    previousSecretExpiresAt: oldest?.until ?? null,
    version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Returns a delivery. */
export function deliveryToWire(row: WebhookDelivery): WebhookDeliveryWire {
  const { id, orgId, webhookId, eventId, status, statusCode, latencyMs, response, error, redeliveryOf } = row;
  return {
    ...{ id, uuid: uuidOf(id), orgId, webhookId, eventId, eventType: row.eventType as EventType, status },
    ...{ statusCode, latencyMs, response, error, redeliveryOf },
    attemptedAt: row.attemptedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
