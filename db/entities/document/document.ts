// A document of the store, made or received. Its bytes are in the storage, under `storageKey`. Contract 3.5.
import { defineEntity, p } from '@mikro-orm/core';
import type { DocumentEntity } from '../../../domain/document/document.ts';
import { code, createdAtColumn, idColumn, orgIdColumn } from '../../columns.ts';

const DocumentSchema = defineEntity({
  name: 'Document',
  tableName: 'documents',
  properties: {
    id: idColumn('document'),
    orgId: orgIdColumn(),
    /** What it was made for: unique, so that a step that runs twice makes one. */
    key: p.text(),
    kind: p.text(),
    /** What it belongs to; null for what belongs to the organization alone. */
    entityType: code<DocumentEntity>().strictNullable(),
    entityId: p.text().strictNullable(),
    fileName: p.text(),
    contentType: p.text(),
    sizeBytes: p.integer(),
    /** Hexadecimal. */
    sha256: p.text(),
    storageKey: p.text(),
    /** Counts from 1 along what it supersedes. */
    version: p.integer().default(1),
    supersedes: p.text().strictNullable(),
    /** The template it was made with, e.g. `coi@1`; null for a file that was received. */
    templateVersion: p.text().strictNullable(),
    /** It exists only for those who may read protected values of its claim. */
    containsPhi: p.boolean().default(false),
    /** The id of who made or sent it; `system` for what the platform made by itself. */
    createdBy: p.text(),
    createdAt: createdAtColumn(),
  },
});

export class Document extends DocumentSchema.class {}
DocumentSchema.setClass(Document);
