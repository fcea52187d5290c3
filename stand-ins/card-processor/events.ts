// The events sent to the endpoint. Each is stored in the transaction of the change it reports.
import { newId } from './ids.ts';
import type { Store } from './store.ts';
import type { StoredObject, WireEvent } from './wire.ts';

const API_VERSION = '2026-10-28.endive';

/** Writes an event; `previous` has the old values of the object's changed fields. */
export type Emit = (type: string, object: Reported, previous?: Record<string, unknown>) => void;

/** The objects that an event can be about. */
type Reported = Exclude<StoredObject, WireEvent>;

/** Stores an event and returns it. */
export function keepEvent(
  store: Store,
  nowMs: number,
  type: string,
  object: Reported,
  previous?: Record<string, unknown>,
): WireEvent {
  const event: WireEvent = {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: Math.floor(nowMs / 1000),
    livemode: false,
    pending_webhooks: 1,
    request: null,
    type,
    data: { object, ...(previous === undefined ? {} : { previous_attributes: previous }) },
  };
  store.save(event);
  return event;
}

/** All events, oldest first. */
export function keptEvents(store: Store): WireEvent[] {
  return store.list<WireEvent>('event').reverse();
}

/** An event exactly as every attempt sends it, or null. */
export function eventText(store: Store, eventId: string): string | null {
  const event = store.find<WireEvent>('event', eventId);
  return event === null ? null : JSON.stringify(event);
}
