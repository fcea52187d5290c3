// Events: read newest first, or followed oldest first. Contract 3.6.
import { eventsAfter, listEvents } from '../../../db/queries/platform/events.ts';
import { eventTypeOf } from '../../../domain/events.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { pageToWire } from '../../spine/schemas.ts';
import { EventListQuery, EventPageSchema } from './events.schemas.ts';
import { eventToWire } from './events.wire.ts';

const listEventsRoute = route({
  method: 'get',
  path: '/events',
  operationId: 'listEvents',
  tag: 'Events',
  spec: 'Contract 3.6',
  summary: 'List events, newest first; with `after` oldest first',
  description:
    'With `after`, an event is listed only when no earlier event can still appear, so polling never skips one. A webhook delivers the same events without polling.',
  access: allow('event:read'),
  query: EventListQuery,
  response: { status: 200, body: EventPageSchema },
  errors: [],
  handler: async ({ query: { after, limit, cursor, entityId, ...query }, db }) => {
    const type = query.type && (eventTypeOf(query.type) ?? query.type);
    const page = await db.read((em) =>
      after
        ? eventsAfter(em, after, { type, entityId, limit, cursor })
        : listEvents(em, { type, entityId }, { limit, cursor }),
    );
    return pageToWire(page, eventToWire);
  },
});

export const eventRoutes = [listEventsRoute];
