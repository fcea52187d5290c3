// The stored response to a request with an Idempotency-Key. Kept for 24 hours.
import { defineEntity, p } from '@mikro-orm/core';
import { code, createdAtColumn, instant, json, orgIdColumn, updatedAtColumn } from '../../columns.ts';

export type IdempotencyState = 'running' | 'released' | 'done';

const IdempotencyRecordSchema = defineEntity({
  name: 'IdempotencyRecord',
  tableName: 'idempotency_keys',
  properties: {
    orgId: orgIdColumn().primary(),
    /** Hash of caller, method, path and key. */
    keyHash: p.text().primary(),
    /** Hash of query and body. */
    fingerprint: p.text(),
    state: code<IdempotencyState>(),
    /** The request holding the key is presumed alive until then, or until its process is gone. */
    lockedUntil: instant(),
    /** Presence of the process running the request (db/presence.ts); null if it has none. */
    holder: p.integer().strictNullable(),
    /** The seed for the ids of new rows, so that a repeated attempt makes the same ones. */
    seedUuid: p.text(),
    /** Counts up when the engine answers with a fault, so that the next attempt's command has another update id. */
    attempt: p.integer(),
    status: p.integer().strictNullable(),
    headers: json<Record<string, string>>().strictNullable(),
    /** The response bytes; encrypted and base64 if `sealedWith` is set. */
    body: p.text().strictNullable(),
    /** Id of the key that encrypts the body. */
    sealedWith: p.text().strictNullable(),
    expiresAt: instant(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class IdempotencyRecord extends IdempotencyRecordSchema.class {}
IdempotencyRecordSchema.setClass(IdempotencyRecord);
