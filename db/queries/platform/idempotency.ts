// Stored responses to requests with an Idempotency-Key. Each function is one statement that commits by itself, so that
// a second request immediately sees what the first one does.
import { type EntityManager, raw } from '@mikro-orm/postgresql';
import { IDEMPOTENCY_RETENTION_HOURS } from '../../../domain/limits.ts';
import { IdempotencyRecord } from '../../entities/platform/idempotency-record.ts';
import { newSeedUuid } from '../../ids.ts';
import { type PreparedStatement, preparedRows } from '../../prepared.ts';
import { PRESENCE_LOCKS } from '../../presence.ts';
import { organizationOf } from '../../scope.ts';

export interface KeyClaim {
  /** Hash of caller, method, path and key. */
  keyHash: string;
  /** Hash of query and body. */
  fingerprint: string;
  nowMs: number;
  /**
   * How long the request may take before another may take it over. The claim of a process that is gone is free
   * immediately.
   */
  leaseMs: number;
  /** Presence of this process, if it shows one. */
  holder: number | null;
}

export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  /** Null for a response without a body. */
  body: string | null;
  /** Id of the key that encrypts the body. */
  sealedWith: string | null;
}

/** An attempt under a key. */
export interface KeyAttempt {
  /** Seeds the ids of new rows: the same for every attempt. */
  seedUuid: string;
  /** Counts from 1; the next one follows a fault. */
  attempt: number;
  /** Whether an earlier call under the key may have been carried out. */
  isRepeat: boolean;
}

/** A key just gone has no attempt. */
export type KeyClaimOutcome =
  | ({ outcome: 'claimed' | 'resumed' } & KeyAttempt)
  | { outcome: 'running'; running: KeyAttempt | null }
  | { outcome: 'mismatch' }
  | ({ outcome: 'replay' } & StoredAnswer);

const RETENTION_MS = IDEMPOTENCY_RETENTION_HOURS * 3_600_000;

const CLAIM: PreparedStatement = {
  name: 'claim an idempotency key',
  text: `
insert into idempotency_keys as kept
  (org_id, key_hash, fingerprint, state, locked_until, holder, seed_uuid, expires_at, created_at, updated_at)
values ($1, $2, $3, 'running', $4, $5, $6, $7, $8, $8)
on conflict (org_id, key_hash) do update set
  fingerprint = excluded.fingerprint,
  state = 'running',
  locked_until = excluded.locked_until,
  holder = excluded.holder,
  seed_uuid = case when kept.expires_at <= excluded.created_at then excluded.seed_uuid else kept.seed_uuid end,
  attempt = case when kept.expires_at <= excluded.created_at then excluded.attempt else kept.attempt end,
  status = null,
  headers = null,
  body = null,
  sealed_with = null,
  expires_at = excluded.expires_at,
  updated_at = excluded.updated_at
where kept.expires_at <= excluded.created_at
  or (kept.fingerprint = excluded.fingerprint
    and (kept.state = 'released'
      or (kept.state = 'running' and kept.locked_until <= excluded.created_at)
      or (kept.state = 'running' and pg_try_advisory_xact_lock_shared(${PRESENCE_LOCKS}, kept.holder))))
returning seed_uuid, attempt`,
};

const FINISH: PreparedStatement = {
  name: 'finish an idempotency key',
  text: `
update idempotency_keys
set state = 'done', status = $3, headers = $4, body = $5, sealed_with = $6, updated_at = now()
where org_id = $1 and key_hash = $2 and state <> 'done'`,
};

/**
 * Claims a key for a request. Among concurrent requests one gets `claimed`, or `resumed` after an attempt that gave up,
 * whose process is gone or whose lease expired; the others get `running`, later ones `replay`. A different query or
 * body than the first attempt's gets `mismatch`. A key is forgotten after 24 hours.
 */
export async function claimKey(em: EntityManager, claim: KeyClaim): Promise<KeyClaimOutcome> {
  const { keyHash, fingerprint, nowMs, leaseMs, holder } = claim;
  const seedUuid = newSeedUuid();
  const [row] = await preparedRows<{ seed_uuid: string; attempt: number }>(em, CLAIM, [
    ...[organizationOf(em), keyHash, fingerprint, new Date(nowMs + leaseMs), holder, seedUuid],
    ...[new Date(nowMs + RETENTION_MS), new Date(nowMs)],
  ]);
  if (row) {
    const isRepeat = row.seed_uuid !== seedUuid;
    return { outcome: isRepeat ? 'resumed' : 'claimed', seedUuid: row.seed_uuid, attempt: row.attempt, isRepeat };
  }
  const kept = await em.findOne(IdempotencyRecord, { keyHash }, { refresh: true });
  if (kept && kept.fingerprint !== fingerprint) return { outcome: 'mismatch' };
  if (kept?.state !== 'done') {
    return { outcome: 'running', running: kept && { seedUuid: kept.seedUuid, attempt: kept.attempt, isRepeat: true } };
  }
  const { status, headers, body, sealedWith } = kept;
  return { outcome: 'replay', status: status ?? 500, headers: headers ?? {}, body, sealedWith };
}

/** Stores the answer of the request that holds a key; an answer already stored stays. */
export async function finishKey(em: EntityManager, keyHash: string, answer: StoredAnswer): Promise<void> {
  const { status, headers, body, sealedWith } = answer;
  await preparedRows(em, FINISH, [organizationOf(em), keyHash, status, headers, body, sealedWith]);
}

/**
 * Releases a key, so that the same request may retry immediately with the same ids: after a fault as the next attempt,
 * or, while the outcome is unknown, as the same one.
 */
export async function releaseKey(em: EntityManager, keyHash: string, why: 'fault' | 'unknown'): Promise<void> {
  const next = why === 'fault' ? { attempt: raw('attempt + 1') } : {};
  await em.nativeUpdate(
    IdempotencyRecord,
    { keyHash, state: 'running' },
    { ...next, state: 'released', updatedAt: new Date() },
  );
}

/** Forgets a key whose request did nothing, so that it can be reused for anything. */
export async function forgetKey(em: EntityManager, keyHash: string): Promise<void> {
  await em.nativeDelete(IdempotencyRecord, { keyHash, state: { $ne: 'done' } });
}

/** Deletes at most `limit` expired keys; needs the all-organizations scope. */
export async function purgeKeys(em: EntityManager, nowMs: number, limit = 1_000): Promise<number> {
  const deleted = await em.execute(
    `delete from idempotency_keys where (org_id, key_hash) in
     (select org_id, key_hash from idempotency_keys where expires_at <= ? limit ? for update skip locked)
     returning key_hash`,
    [new Date(nowMs), limit],
  );
  return deleted.length;
}
