// A file on a claim. Its bytes are in the storage, under its id.
import { defineEntity, p } from '@mikro-orm/core';
import { createdAtColumn, idColumn, orgIdColumn } from '../../columns.ts';

const ClaimAttachmentSchema = defineEntity({
  name: 'ClaimAttachment',
  tableName: 'claim_attachments',
  properties: {
    id: idColumn('attachment'),
    orgId: orgIdColumn(),
    claimId: p.text(),
    fileName: p.text(),
    contentType: p.text(),
    sizeBytes: p.integer(),
    /** Hexadecimal. */
    sha256: p.text(),
    kind: p.text(),
    description: p.text().strictNullable(),
    /** Visible only to callers who may read protected values. */
    containsPhi: p.boolean(),
    /** An earlier attachment of the claim with the same bytes. */
    duplicateOf: p.text().strictNullable(),
    uploadedBy: p.text(),
    createdAt: createdAtColumn(),
  },
});

export class ClaimAttachment extends ClaimAttachmentSchema.class {}
ClaimAttachmentSchema.setClass(ClaimAttachment);
