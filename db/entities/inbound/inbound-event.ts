// A provider event that has been handled, written in the transaction of its effects.
import { defineEntity, p } from '@mikro-orm/core';
import { createdAtColumn, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const InboundEventSchema = defineEntity({
  name: 'InboundEvent',
  tableName: 'inbound_events',
  properties: {
    provider: p.text().primary(),
    /** The provider's id of the event. */
    id: p.text().primary(),
    /** The organization concerned, or the scope of the installation. */
    orgId: orgIdColumn(),
    type: p.text(),
    /** The result, in a word. */
    outcome: p.text(),
    paymentId: p.text().strictNullable(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class InboundEvent extends InboundEventSchema.class {}
InboundEventSchema.setClass(InboundEvent);
