// Events from rows to the envelope that webhooks carry too. Pure. Spec 2.9.
import type { Event } from '../../../db/entities/platform/event.ts';
import { envelopeOf } from '../../../domain/delivery/delivery.ts';
import type { EventWire } from './events.schemas.ts';

/** Gives the envelope of an event. */
export function eventToWire(event: Event): EventWire {
  return envelopeOf(event) as EventWire;
}
