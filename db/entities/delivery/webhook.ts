// A subscription to events: where they go and how they are signed. Deleted ones stay for their delivery log.
import { defineEntity, p } from '@mikro-orm/core';
import type { PreviousSecret, SubscriptionStatus } from '../../../domain/delivery/subscription.ts';
import {
  code,
  createdAtColumn,
  idColumn,
  instant,
  json,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

const WebhookSchema = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  properties: {
    id: idColumn('webhookSubscription'),
    orgId: orgIdColumn(),
    url: p.text(),
    /** The names as given. */
    events: json<string[]>(),
    /** The same with aliases resolved, as events are matched. */
    eventTypes: json<string[]>(),
    description: p.text().strictNullable(),
    /** Sealed, as `providers/webhooks/secrets.ts` does. */
    secret: p.text().hidden(),
    /** Earlier secrets that receivers may still use, oldest first. */
    previousSecrets: json<PreviousSecret[]>().hidden(),
    status: code<SubscriptionStatus>(),
    /** Until then, a worker is already on its way to deliver what waits; only queries read and write it. */
    deliveringUntil: instant().strictNullable().hidden(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Webhook extends WebhookSchema.class {}
WebhookSchema.setClass(Webhook);
