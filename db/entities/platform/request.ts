// A call of an operation and its answer. Kept for a few days; nothing depends on it.
import { defineEntity, p } from '@mikro-orm/core';
import { createdAtColumn, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const RequestSchema = defineEntity({
  name: 'Request',
  tableName: 'requests',
  properties: {
    /** Tells calls of one id and one millisecond apart. */
    id: p.bigint('number').primary(),
    orgId: orgIdColumn(),
    requestId: p.text(),
    method: p.text(),
    /** The pattern of the operation: no id and no word of a caller. */
    route: p.text(),
    status: p.integer(),
    /** The code of a refusal or a failure. */
    error: p.text().strictNullable(),
    durationMs: p.integer(),
    actorKind: p.text(),
    actorId: p.text(),
    /** When the answer was ready. */
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Request extends RequestSchema.class {}
RequestSchema.setClass(Request);
