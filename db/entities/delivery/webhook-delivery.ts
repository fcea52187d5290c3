// One attempt to deliver an event to a subscription. The database writes it in the event's transaction; the call that
// makes a test or redelivery writes that one.
import { defineEntity, p } from '@mikro-orm/core';
import type { DeliveryStatus } from '../../../domain/delivery/delivery.ts';
import { code, createdAtColumn, idColumn, instant, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const WebhookDeliverySchema = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  properties: {
    id: idColumn('webhookDelivery'),
    orgId: orgIdColumn(),
    webhookId: p.text(),
    eventId: p.text(),
    eventType: p.text(),
    /** The event's position: deliveries go out in commit order. */
    position: p.bigint('number'),
    status: code<DeliveryStatus>(),
    /** The delivery that this one repeats, or null. */
    redeliveryOf: p.text().strictNullable(),
    /** Null while waiting. */
    attemptedAt: instant().strictNullable(),
    latencyMs: p.integer().strictNullable(),
    statusCode: p.integer().strictNullable(),
    /** The first 2 KiB of the response. */
    response: p.text().strictNullable(),
    error: p.text().strictNullable(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class WebhookDelivery extends WebhookDeliverySchema.class {}
WebhookDeliverySchema.setClass(WebhookDelivery);
