// The deliveries without an outcome: those that wait, and those that are being sent. Only statements read and write
// them.
import { defineEntity, p } from '@mikro-orm/core';
import { idColumn, instant, orgIdColumn } from '../../columns.ts';

const WaitingDeliverySchema = defineEntity({
  name: 'WaitingDelivery',
  tableName: 'waiting_deliveries',
  properties: {
    /** The delivery's. */
    id: idColumn('webhookDelivery'),
    orgId: orgIdColumn(),
    webhookId: p.text(),
    /** The event's position: deliveries go out in commit order. */
    position: p.bigint('number'),
  },
});

export class WaitingDelivery extends WaitingDeliverySchema.class {}
WaitingDeliverySchema.setClass(WaitingDelivery);

const SendingDeliverySchema = defineEntity({
  name: 'SendingDelivery',
  tableName: 'sending_deliveries',
  properties: {
    /** The delivery's. */
    id: idColumn('webhookDelivery'),
    orgId: orgIdColumn(),
    webhookId: p.text(),
    /** Who has not stored an outcome long after this has died. */
    claimedAt: instant(),
  },
});

export class SendingDelivery extends SendingDeliverySchema.class {}
SendingDeliverySchema.setClass(SendingDelivery);
