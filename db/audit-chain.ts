// How audit rows are chained: which parts of a row are hashed, in what form, and how a seal closes its part of the
// chain. The sealing job and the verifying command share it. Nothing here reads or writes.
import { createHash } from 'node:crypto';

/** An audit row as database text, so that nothing is lost in conversion: `changes` is the text of its jsonb. */
export interface EntryText {
  id: string;
  org_id: string;
  actor_kind: string;
  actor_id: string;
  actor_role: string;
  action: string;
  entity_type: string;
  entity_id: string | null;
  request_id: string | null;
  changes: string;
  created_at: string;
  updated_at: string;
}

/** The contents of a seal besides its hash. */
export interface SealFacts {
  orgId: string;
  sequence: number;
  entryCount: number;
  previousHash: string;
  /** Hash of the chain up to and including the last row. */
  lastEntryHash: string;
  /** Milliseconds since 1970. */
  sealedAtMs: number;
}

/** The predecessor of an organization's first seal. */
export const CHAIN_START = '0'.repeat(64);

/** Columns of EntryText, of `audit_entries` as `e`, whatever the date style and time zone of the connection. */
export const ENTRY_TEXT_COLUMNS = `e.id, e.org_id, e.actor_kind, e.actor_id, e.actor_role, e.action, e.entity_type,
  e.entity_id, e.request_id, e.changes::text as changes,
  to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
  to_char(e.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as updated_at`;

/**
 * Returns the hash of the chain with one more row: SHA-256 in hex of the previous hash and the canonical JSON of the
 * row.
 */
export function entryHash(previousHash: string, entry: EntryText): string {
  return sha256(`${previousHash}\n${canonicalEntry(entry)}`);
}

/** Returns the hash of a seal, from which the next one starts. */
export function sealHash({ orgId, sequence, entryCount, previousHash, lastEntryHash, sealedAtMs }: SealFacts): string {
  const sealedAt = new Date(sealedAtMs).toISOString();
  return sha256(JSON.stringify({ orgId, sequence, entryCount, previousHash, lastEntryHash, sealedAt }));
}

/** Every column, in a fixed order. */
function canonicalEntry(entry: EntryText): string {
  const { id, org_id, actor_kind, actor_id, actor_role, action, entity_type } = entry;
  const { entity_id, request_id, changes, created_at, updated_at } = entry;
  const who = { id, org_id, actor_kind, actor_id, actor_role };
  return JSON.stringify({ ...who, action, entity_type, entity_id, request_id, changes, created_at, updated_at });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
