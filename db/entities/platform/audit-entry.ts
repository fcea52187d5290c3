// Who did what to which row. Written in the transaction of the change and never altered afterwards.
import { defineEntity, p } from '@mikro-orm/core';
import { createdAtColumn, idColumn, json, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const AuditEntrySchema = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  properties: {
    id: idColumn('audit'),
    orgId: orgIdColumn(),
    actorKind: p.text(),
    actorId: p.text(),
    actorRole: p.text(),
    action: p.text(),
    entityType: p.text(),
    entityId: p.text().strictNullable(),
    requestId: p.text().strictNullable(),
    changes: json<Record<string, unknown>>().onCreate(() => ({})),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class AuditEntry extends AuditEntrySchema.class {}
AuditEntrySchema.setClass(AuditEntry);
