// A version of an organization's own template for a kind of document.
import { defineEntity, p } from '@mikro-orm/core';
import type { TemplateKind } from '../../../domain/document/kinds.ts';
import { code, createdAtColumn, idColumn, orgIdColumn } from '../../columns.ts';

const DocumentTemplateSchema = defineEntity({
  name: 'DocumentTemplate',
  tableName: 'document_templates',
  properties: {
    id: idColumn('documentTemplate'),
    orgId: orgIdColumn(),
    kind: code<TemplateKind>(),
    /** Counts from 1 for each kind. */
    templateVersion: p.integer(),
    html: p.text(),
    createdBy: p.text(),
    createdAt: createdAtColumn(),
  },
});

export class DocumentTemplate extends DocumentTemplateSchema.class {}
DocumentTemplateSchema.setClass(DocumentTemplate);
