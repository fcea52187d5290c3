// The shapes of events on the wire. Spec 2.9, Contract 3.6.
import { z } from 'zod';
import { EVENT_ALIASES, EVENT_ENTITIES, EVENT_TYPES, type EventType } from '../../../domain/events.ts';
import { CATALOGUED_EVENTS } from '../../openapi/event-catalogue.ts';
import { idParam, idReference, pageQuery, pageSchema } from '../../spine/schemas.ts';

const NAMES = [...EVENT_TYPES, ...Object.keys(EVENT_ALIASES)] as [EventType, ...EventType[]];

const [first, ...others] = CATALOGUED_EVENTS.map(({ envelope }) => envelope);

/** Webhooks deliver exactly what the list shows. */
const EventSchema = z
  .union([first, ...others] as [z.ZodType, ...z.ZodType[]])
  .meta({ id: 'Event', description: 'A recorded event. `type` determines the shape of `data`.' });

export const EventPageSchema = pageSchema('Event', EventSchema);

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
