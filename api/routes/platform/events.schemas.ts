// The shapes of events on the wire. Spec 2.9, Contract 3.6.
import { z } from 'zod';
import { EVENT_ALIASES, EVENT_ENTITIES, EVENT_TYPES, type EventType } from '../../../domain/events.ts';
import { idParam, idReference, instant, pageOf, pageQuery } from '../../spine/schemas.ts';

const NAMES = [...EVENT_TYPES, ...Object.keys(EVENT_ALIASES)] as [EventType, ...EventType[]];

const EventSchema = z
  .strictObject({
    id: z.string(),
    type: z.enum(EVENT_TYPES),
    orgId: z.string(),
    timestamp: instant,
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The facts of the event. The keys depend on its type.' }),
  })
  .meta({ id: 'Event' });

export const EventPageSchema = pageOf('Event', EventSchema);

export const EventListQuery = z.strictObject({
  ...pageQuery,
  type: z.enum(NAMES).optional(),
  entityId: idParam(...EVENT_ENTITIES)
    .optional()
    .meta({
      description: 'Events about this entity: a policy, a claim, an invoice and others.',
    }),
  after: idReference('event').optional().meta({
    description: 'Events that became visible after this one, oldest first. Pass the last id you received.',
  }),
});

export type EventWire = z.output<typeof EventSchema>;
