// One attempt to deliver an event to a subscription. The database writes it in the transaction of the event; a test or
// a redelivery is written by the call that makes it.
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
    /** Of the event: deliveries go out in the order of commits. */
    position: p.bigint('number'),
    status: code<DeliveryStatus>(),
    /** The delivery that this one repeats, or null. */
    redeliveryOf: p.text().strictNullable(),
    /** Null while it waits. */
    attemptedAt: instant().strictNullable(),
    latencyMs: p.integer().strictNullable(),
    statusCode: p.integer().strictNullable(),
    /** The first 2 KiB of the answer. */
    response: p.text().strictNullable(),
    error: p.text().strictNullable(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class WebhookDelivery extends WebhookDeliverySchema.class {}
WebhookDeliverySchema.setClass(WebhookDelivery);
