// The processor's whole state, in SQLite: objects, answers by idempotency key, events and deliveries.
import { DatabaseSync } from 'node:sqlite';
import type { Answer, StoredObject } from './wire.ts';

const KEY_LIFE_MS = 24 * 3_600_000;

const SCHEMA = `
  create table if not exists objects (
    seq integer primary key, id text not null unique, kind text not null, parent text, body text not null
  );
  create index if not exists objects_of_parent on objects (kind, parent);
  create index if not exists objects_of_kind on objects (kind, seq);
  create table if not exists answers (
    key text primary key, fingerprint text not null, status integer not null, body text not null, at_ms integer not null
  );
  drop table if exists events;
  create table if not exists deliveries (
    id integer primary key, event_id text not null, position real not null, held integer not null,
    attempts integer not null default 0, due_ms integer not null, done integer not null default 0
  );
  create index if not exists deliveries_due on deliveries (done, held, due_ms);
  create table if not exists attempts (
    seq integer primary key, event_id text not null, at_ms integer not null, status integer
  );
`;

export interface KeptAnswer extends Answer {
  fingerprint: string;
}

/** A condition on a field of listed objects. */
export interface Condition {
  field: string;
  comparison: '=' | '>' | '>=' | '<' | '<=';
  value: string | number;
}

/** A page of a list, newest first: after the one id, or just before the other. */
export interface Page {
  conditions: readonly Condition[];
  after: string | null;
  before: string | null;
  limit: number;
}

/** The state, one statement at a time: every method is synchronous. */
export class Store {
  readonly database: DatabaseSync;

  /** @param file null keeps everything in memory */
  constructor(file: string | null) {
    this.database = new DatabaseSync(file ?? ':memory:');
    this.database.exec('pragma journal_mode = wal; pragma synchronous = normal;');
    this.database.exec(SCHEMA);
  }

  /** Commits everything, or nothing if `work` throws. */
  transaction<T>(work: () => T): T {
    this.database.exec('begin immediate');
    try {
      const result = work();
      this.database.exec('commit');
      return result;
    } catch (error) {
      this.database.exec('rollback');
      throw error;
    }
  }

  /** Saves an object, new or changed. */
  save(object: StoredObject): void {
    const parent = 'payment_intent' in object ? object.payment_intent : null;
    this.database
      .prepare(
        'insert into objects (id, kind, parent, body) values (?, ?, ?, ?) on conflict (id) do update set body = excluded.body',
      )
      .run(object.id, object.object, parent, JSON.stringify(object));
  }

  find<T extends StoredObject>(kind: T['object'], id: string): T | null {
    const row = this.database.prepare('select body from objects where kind = ? and id = ?').get(kind, id);
    return row === undefined ? null : (JSON.parse(String(row.body)) as T);
  }

  /** Objects of a type, newest first; of one intent if given. */
  list<T extends StoredObject>(kind: T['object'], intentId: string | null = null): T[] {
    const rows = this.database
      .prepare('select body from objects where kind = ?1 and (?2 is null or parent = ?2) order by seq desc')
      .all(kind, intentId);
    return rows.map((row) => JSON.parse(String(row.body)) as T);
  }

  /** A page of the objects of a type, newest first. */
  page<T extends StoredObject>(kind: T['object'], { conditions, after, before, limit }: Page): T[] {
    const met = conditions.map(({ comparison }) => `and json_extract(body, ?) ${comparison} ?`).join(' ');
    const values = conditions.flatMap(({ field, value }) => [`$.${field}`, value]);
    const isBackward = before !== null;
    const end = `(select seq from objects where id = ?)`;
    const start = isBackward ? `and seq > ${end}` : after === null ? '' : `and seq < ${end}`;
    const cursor = before ?? after;
    const rows = this.database
      .prepare(
        `select body from objects where kind = ? ${met} ${start} order by seq ${isBackward ? 'asc' : 'desc'} limit ?`,
      )
      .all(kind, ...values, ...(cursor === null ? [] : [cursor]), limit);
    const objects = rows.map((row) => JSON.parse(String(row.body)) as T);
    return isBackward ? objects.reverse() : objects;
  }

  answerOf(key: string, nowMs: number): KeptAnswer | null {
    const row = this.database
      .prepare('select * from answers where key = ? and at_ms > ?')
      .get(key, nowMs - KEY_LIFE_MS);
    if (row === undefined) return null;
    return { fingerprint: String(row.fingerprint), status: Number(row.status), body: JSON.parse(String(row.body)) };
  }

  keepAnswer(key: string, { fingerprint, status, body }: KeptAnswer, nowMs: number): void {
    this.database
      .prepare('insert or replace into answers (key, fingerprint, status, body, at_ms) values (?, ?, ?, ?, ?)')
      .run(key, fingerprint, status, JSON.stringify(body), nowMs);
  }

  close(): void {
    this.database.close();
  }
}
