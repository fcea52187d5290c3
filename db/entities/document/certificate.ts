// A certificate of insurance: its number and holder. Its content is in the facts of its document order.
import { defineEntity, p } from '@mikro-orm/core';
import type { CertificateHolder } from '../../../domain/document/certificate.ts';
import { createdAtColumn, idColumn, json, orgIdColumn } from '../../columns.ts';

const CertificateSchema = defineEntity({
  name: 'Certificate',
  tableName: 'certificates',
  properties: {
    id: idColumn('certificate'),
    orgId: orgIdColumn(),
    /** `COI-2026-000123-4F9K2M7Q`; unique in the installation. */
    certificateNumber: p.text(),
    documentId: p.text(),
    policyId: p.text(),
    producerId: p.text().strictNullable(),
    holder: json<CertificateHolder>(),
    /** The holder's name and address, normalized. */
    holderKey: p.text(),
    /** Whether the holder is notified when the policy is cancelled or another certificate replaces this one. */
    notifyHolder: p.boolean().default(false),
    /** The certificate it replaces. */
    supersedes: p.text().strictNullable(),
    createdBy: p.text(),
    createdAt: createdAtColumn(),
  },
});

export class Certificate extends CertificateSchema.class {}
CertificateSchema.setClass(Certificate);
