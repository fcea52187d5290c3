// An operation call and its response. Kept for a few days; nothing depends on it.
import { defineEntity, p } from '@mikro-orm/core';
import { createdAtColumn, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const RequestSchema = defineEntity({
  name: 'Request',
  tableName: 'requests',
  properties: {
    /** Distinguishes calls with the same id and millisecond. */
    id: p.bigint('number').primary(),
    orgId: orgIdColumn(),
    requestId: p.text(),
    method: p.text(),
    /** The operation's route pattern: no ids and no caller input. */
    route: p.text(),
    status: p.integer(),
    /** The error code of a refusal or failure. */
    error: p.text().strictNullable(),
    durationMs: p.integer(),
    actorKind: p.text(),
    actorId: p.text(),
    /** When the response was ready. */
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Request extends RequestSchema.class {}
RequestSchema.setClass(Request);
