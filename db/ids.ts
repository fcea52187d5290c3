// New TypeIDs. Reading and checking ids is pure and lives in domain/ids.ts.
import { fromUUID, typeid, typeidUnboxed } from 'typeid-js';
import { ID_PREFIXES, type IdKind } from '../domain/ids.ts';

/**
 * Makes the id of a new row: `<prefix>_<26 base32 characters of a UUIDv7>`, so that ids sort by the time they were
 * made. With `uuid` the id is the same every time, which makes a step that runs twice write the same row.
 */
export function newId(kind: IdKind, uuid?: string): string {
  const prefix = ID_PREFIXES[kind];
  return uuid === undefined ? typeidUnboxed(prefix) : fromUUID(uuid, prefix);
}

/** Makes a UUIDv7, from which the ids of a repeatable step are made. */
export function newSeedUuid(): string {
  return typeid().toUUID();
}
