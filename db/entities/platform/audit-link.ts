// An audit row's place in its organization's chain. The database adds an empty link for every audit row.
import { defineEntity, p } from '@mikro-orm/core';
import { orgIdColumn } from '../../columns.ts';

const AuditLinkSchema = defineEntity({
  name: 'AuditLink',
  tableName: 'audit_links',
  properties: {
    orgId: orgIdColumn().primary(),
    entryId: p.text().primary(),
    /** The seal; null until the row is sealed. */
    sequence: p.integer().strictNullable(),
    /** Its place within the seal, from 1. */
    ordinal: p.integer().strictNullable(),
    /** SHA-256 in hex of the chain up to and including the row. */
    hash: p.text().strictNullable(),
  },
});

export class AuditLink extends AuditLinkSchema.class {}
AuditLinkSchema.setClass(AuditLink);
