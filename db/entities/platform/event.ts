// A published event. Written in the transaction of the change and never altered.
import { defineEntity, p } from '@mikro-orm/core';
import { createdAtColumn, idColumn, instant, json, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const EventSchema = defineEntity({
  name: 'Event',
  tableName: 'events',
  properties: {
    id: idColumn('event'),
    orgId: orgIdColumn(),
    type: p.text(),
    data: json<Record<string, unknown>>(),
    occurredAt: instant(),
    /** Number within the organization, in commit order. Filled by the database. */
    position: p.bigint('number').defaultRaw('0').hidden(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Event extends EventSchema.class {}
EventSchema.setClass(Event);
