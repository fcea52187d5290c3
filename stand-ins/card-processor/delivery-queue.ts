// What is still to be delivered, and every attempt that was made. A restart goes on with what is left.
import type { Store } from './store.ts';

export interface Delivery {
  id: number;
  eventId: string;
  attempts: number;
}

export interface Attempt {
  eventId: string;
  atMs: number;
  /** What the endpoint answered; null when it did not. */
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

/** Lets what is held back go, each `copies` times, in an order. */
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

/** Up to `most` deliveries that are due, leaving out those that are at work. */
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

/** When the next delivery after now falls due, or null when there is none that is not held back. */
export function nextDueMs(store: Store, nowMs: number): number | null {
  const row = store.database
    .prepare('select min(due_ms) as due from deliveries where done = 0 and held = 0 and due_ms > ?')
    .get(nowMs);
  return row?.due == null ? null : Number(row.due);
}

/** Writes down an attempt; without `retryAtMs` the delivery is done. */
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
