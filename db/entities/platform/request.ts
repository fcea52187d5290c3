// A call of an operation and its answer. Kept for a few days; nothing depends on it.
import { defineEntity, p } from '@mikro-orm/core';
import { createdAtColumn, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const RequestSchema = defineEntity({
  name: 'Request',
  tableName: 'requests',
  properties: {
    orgId: orgIdColumn().primary(),
    requestId: p.text().primary(),
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
    createdAt: createdAtColumn().primary(),
    updatedAt: updatedAtColumn(),
  },
});

export class Request extends RequestSchema.class {}
RequestSchema.setClass(Request);
