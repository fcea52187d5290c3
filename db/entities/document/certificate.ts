// A certificate of insurance: its number and its holder. What it says is in the facts of its document's order.
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
    /** The holder's name and address, however both are written. */
    holderKey: p.text(),
    /** Whether the holder is notified when the policy is cancelled or another certificate takes its place. */
    notifyHolder: p.boolean().default(false),
    /** The certificate whose place it takes. */
    supersedes: p.text().strictNullable(),
    createdBy: p.text(),
    createdAt: createdAtColumn(),
  },
});

export class Certificate extends CertificateSchema.class {}
CertificateSchema.setClass(Certificate);
