// The events sent to the endpoint. Each is stored in the transaction of the change it reports.
import { newId } from './ids.ts';
import type { Store } from './store.ts';
import type { StoredObject, WireEvent } from './wire.ts';

const API_VERSION = '2026-10-28.endive';

/** Writes an event; `previous` has what its object was like before, as far as it has changed. */
export type Emit = (type: string, object: StoredObject, previous?: Record<string, unknown>) => void;

/** Keeps an event and answers it. */
export function keepEvent(
  store: Store,
  nowMs: number,
  type: string,
  object: StoredObject,
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
  store.database.prepare('insert into events (id, body) values (?, ?)').run(event.id, JSON.stringify(event));
  return event;
}

/** All events, oldest first. */
export function keptEvents(store: Store): WireEvent[] {
  const rows = store.database.prepare('select body from events order by seq').all();
  return rows.map((row) => JSON.parse(String(row.body)) as WireEvent);
}

/** An event exactly as it is sent each time, or null. */
export function eventText(store: Store, eventId: string): string | null {
  const row = store.database.prepare('select body from events where id = ?').get(eventId);
  return row === undefined ? null : String(row.body);
}
