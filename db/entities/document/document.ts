// A stored document, made or received. Its bytes are in storage, under `storageKey`. Contract 3.5.
import { defineEntity, p } from '@mikro-orm/core';
import type { DocumentEntity } from '../../../domain/document/document.ts';
import { code, createdAtColumn, idColumn, orgIdColumn } from '../../columns.ts';

const DocumentSchema = defineEntity({
  name: 'Document',
  tableName: 'documents',
  properties: {
    id: idColumn('document'),
    orgId: orgIdColumn(),
    /** What it was made for: unique, so that a step that runs twice makes only one. */
    key: p.text(),
    kind: p.text(),
    /** What it belongs to; null if it belongs only to the organization. */
    entityType: code<DocumentEntity>().strictNullable(),
    entityId: p.text().strictNullable(),
    fileName: p.text(),
    contentType: p.text(),
    sizeBytes: p.integer(),
    /** Hexadecimal. */
    sha256: p.text(),
    storageKey: p.text(),
    /** Counts from 1 along the chain of superseded documents. */
    version: p.integer().default(1),
    supersedes: p.text().strictNullable(),
    /** The template it was made with, e.g. `coi@1`; null for a received file. */
    templateVersion: p.text().strictNullable(),
    /** Visible only to callers who may read its claim's protected values. */
    containsPhi: p.boolean().default(false),
    /** The id of who made or sent it; `system` if the platform made it. */
    createdBy: p.text(),
    createdAt: createdAtColumn(),
  },
});

export class Document extends DocumentSchema.class {}
DocumentSchema.setClass(Document);
