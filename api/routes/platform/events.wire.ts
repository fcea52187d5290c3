// Maps events from rows to the envelope that webhooks also use. Pure. Spec 2.9.
import type { Event } from '../../../db/entities/platform/event.ts';
import { type EventEnvelope, envelopeOf } from '../../../domain/delivery/delivery.ts';

/** Returns the envelope of an event. */
export function eventToWire(event: Event): EventEnvelope {
  return envelopeOf(event);
}
