// A document to be made. It has the id of the document.
import { defineEntity, p } from '@mikro-orm/core';
import type { DocumentEntity } from '../../../domain/document/document.ts';
import type { DocumentKind } from '../../../domain/document/kinds.ts';
import { code, createdAtColumn, idColumn, instant, json, orgIdColumn } from '../../columns.ts';

const DocumentOrderSchema = defineEntity({
  name: 'DocumentOrder',
  tableName: 'document_orders',
  properties: {
    id: idColumn('document'),
    orgId: orgIdColumn(),
    kind: code<DocumentKind>(),
    entityType: code<DocumentEntity>().strictNullable(),
    entityId: p.text().strictNullable(),
    /** The request, by kind. */
    input: json<Record<string, unknown>>(),
    /** What the document says; null until fixed. */
    facts: json<Record<string, unknown>>().strictNullable(),
    /** The organization's template it is made with; null for ours. */
    templateVersion: p.text().strictNullable(),
    /** The document it replaces. */
    supersedes: p.text().strictNullable(),
    createdBy: p.text(),
    /** It is queued again after this. */
    dueAt: instant(),
    /** The refusal code, if it cannot be made. */
    failure: p.text().strictNullable(),
    madeAt: instant().strictNullable(),
    createdAt: createdAtColumn(),
  },
});

export class DocumentOrder extends DocumentOrderSchema.class {}
DocumentOrderSchema.setClass(DocumentOrder);
