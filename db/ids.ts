// New TypeIDs. Reading and checking ids is pure and lives in domain/ids.ts.
import { createHash } from 'node:crypto';
import { fromUUID, typeid, typeidUnboxed } from 'typeid-js';
import { ID_PREFIXES, type IdKind } from '../domain/ids.ts';

/**
 * Makes the id of a new row: `<prefix>_<26 base32 characters of a UUIDv7>`, so that ids sort by creation time. With
 * `uuid` the id is the same every time, so that a step that runs twice writes the same row.
 */
export function newId(kind: IdKind, uuid?: string): string {
  const prefix = ID_PREFIXES[kind];
  return uuid === undefined ? typeidUnboxed(prefix) : fromUUID(uuid, prefix);
}

/** Makes a UUIDv7 from which a repeatable step makes its ids. */
export function newSeedUuid(): string {
  return typeid().toUUID();
}

/** Makes the id of a row for a key at an instant: the same for the same pair, and sortable by time. */
export function timedId(kind: IdKind, at: Date, key: string): string {
  const hash = createHash('sha256').update(key).digest('hex');
  const time = at.getTime().toString(16).padStart(12, '0');
  const uuid = [time.slice(0, 8), time.slice(8), `7${hash.slice(0, 3)}`, `8${hash.slice(3, 6)}`, hash.slice(6, 18)];
  return newId(kind, uuid.join('-'));
}
