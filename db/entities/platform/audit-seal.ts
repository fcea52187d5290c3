// A seal over the audit rows added since the previous seal. Written once and never altered.
import { defineEntity, p } from '@mikro-orm/core';
import { instant, orgIdColumn } from '../../columns.ts';

const AuditSealSchema = defineEntity({
  name: 'AuditSeal',
  tableName: 'audit_seals',
  properties: {
    orgId: orgIdColumn().primary(),
    /** Number within the organization, from 1 without gaps. */
    sequence: p.integer().primary(),
    entryCount: p.integer(),
    previousHash: p.text(),
    /** SHA-256 in hex. */
    hash: p.text(),
    sealedAt: instant(),
  },
});

export class AuditSeal extends AuditSealSchema.class {}
AuditSealSchema.setClass(AuditSeal);
