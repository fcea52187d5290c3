// A document that is to be made. Its id is that of the document.
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
    /** What the document says; null until that is fixed. */
    facts: json<Record<string, unknown>>().strictNullable(),
    /** The organization's template that it is made with; null for ours. */
    templateVersion: p.text().strictNullable(),
    /** The document whose place it takes. */
    supersedes: p.text().strictNullable(),
    createdBy: p.text(),
    /** Somebody is sent for it again after this. */
    dueAt: instant(),
    /** The code of the refusal, when it cannot be made. */
    failure: p.text().strictNullable(),
    madeAt: instant().strictNullable(),
    createdAt: createdAtColumn(),
  },
});

export class DocumentOrder extends DocumentOrderSchema.class {}
DocumentOrderSchema.setClass(DocumentOrder);
