// Events from rows to the envelope that webhooks carry too. Pure. Spec 2.9.
import type { Event } from '../../../db/entities/platform/event.ts';
import type { EventType } from '../../../domain/events.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import type { EventWire } from './events.schemas.ts';

/** Gives the envelope of an event. */
export function eventToWire({ id, type, orgId, occurredAt, data }: Event): EventWire {
  return { id, type: type as EventType, orgId, timestamp: instantToWire(occurredAt), data };
}
