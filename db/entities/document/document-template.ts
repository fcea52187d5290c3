// A version of an organization's own template for a kind of document.
import { defineEntity, p } from '@mikro-orm/core';
import type { FieldMap } from '../../../domain/document/field-map.ts';
import type { TemplateKind } from '../../../domain/document/kinds.ts';
import { code, createdAtColumn, idColumn, json, orgIdColumn } from '../../columns.ts';

const DocumentTemplateSchema = defineEntity({
  name: 'DocumentTemplate',
  tableName: 'document_templates',
  properties: {
    id: idColumn('documentTemplate'),
    orgId: orgIdColumn(),
    kind: code<TemplateKind>(),
    /** Counts from 1 for each kind. */
    templateVersion: p.integer(),
    /** Liquid; null if the template is a form. */
    html: p.text().strictNullable(),
    /** The fillable PDF. */
    documentId: p.text().strictNullable(),
    /** What goes in its fields. */
    fields: json<FieldMap>().strictNullable(),
    createdBy: p.text(),
    createdAt: createdAtColumn(),
  },
});

export class DocumentTemplate extends DocumentTemplateSchema.class {}
DocumentTemplateSchema.setClass(DocumentTemplate);
