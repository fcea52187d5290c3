// Pending deliveries, and every attempt made. A restart continues with those that are left.
import type { Store } from './store.ts';

export interface Delivery {
  id: number;
  eventId: string;
  attempts: number;
}

export interface Attempt {
  eventId: string;
  atMs: number;
  /** The endpoint's response status; null if there was none. */
  status: number | null;
}

export type Order = 'as_happened' | 'reversed' | 'shuffled';

/** Adds a delivery of an event; one that is held back waits for `releaseAll`. */
export function enqueue(store: Store, eventId: string, isHeld: boolean, nowMs: number): void {
  store.database
    .prepare(
      'insert into deliveries (event_id, position, held, due_ms) values (?, (select coalesce(max(position), 0) + 1 from deliveries), ?, ?)',
    )
    .run(eventId, isHeld ? 1 : 0, nowMs);
}

/** Releases held events, each `copies` times, in the given order. */
export function releaseAll(store: Store, order: Order, copies: number, nowMs: number): void {
  const position = { as_happened: 'position', reversed: '-position', shuffled: 'abs(random() % 1000000)' }[order];
  store.transaction(() => {
    for (let copy = 1; copy < copies; copy += 1) {
      store.database
        .prepare(
          'insert into deliveries (event_id, position, held, due_ms) select event_id, position, 2, ? from deliveries where held = 1',
        )
        .run(nowMs);
    }
    store.database
      .prepare(`update deliveries set position = ${position}, held = 0, due_ms = ? where held > 0`)
      .run(nowMs);
  });
}

/** Up to `most` due deliveries, leaving out those in progress. */
export function dueDeliveries(store: Store, nowMs: number, most: number, atWork: ReadonlySet<number>): Delivery[] {
  const rows = store.database
    .prepare(
      'select id, event_id, attempts from deliveries where done = 0 and held = 0 and due_ms <= ? order by position, id limit ?',
    )
    .all(nowMs, most + atWork.size);
  return rows
    .map((row) => ({ id: Number(row.id), eventId: String(row.event_id), attempts: Number(row.attempts) }))
    .filter(({ id }) => !atWork.has(id))
    .slice(0, most);
}

/** When the next delivery after now is due, or null if there is none except held ones. */
export function nextDueMs(store: Store, nowMs: number): number | null {
  const row = store.database
    .prepare('select min(due_ms) as due from deliveries where done = 0 and held = 0 and due_ms > ?')
    .get(nowMs);
  return row?.due == null ? null : Number(row.due);
}

/** Records an attempt; without `retryAtMs`, the delivery is done. */
export function keepAttempt(
  store: Store,
  delivery: Delivery,
  { atMs, status }: Attempt,
  retryAtMs: number | null,
): void {
  store.transaction(() => {
    store.database
      .prepare('insert into attempts (event_id, at_ms, status) values (?, ?, ?)')
      .run(delivery.eventId, atMs, status);
    store.database
      .prepare('update deliveries set attempts = attempts + 1, done = ?, due_ms = ? where id = ?')
      .run(retryAtMs === null ? 1 : 0, retryAtMs ?? atMs, delivery.id);
  });
}

/** Every attempt, oldest first. */
export function keptAttempts(store: Store): Attempt[] {
  const rows = store.database.prepare('select event_id, at_ms, status from attempts order by seq').all();
  return rows.map(({ event_id, at_ms, status }) => ({
    eventId: String(event_id),
    atMs: Number(at_ms),
    status: status === null || status === undefined ? null : Number(status),
  }));
}
