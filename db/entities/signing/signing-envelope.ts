// A document sent to the e-signature provider for signing. Spec 2.11, 3.2.
import { defineEntity, p } from '@mikro-orm/core';
import type { EnvelopeStatus, Signer } from '../../../domain/signing/envelope.ts';
import {
  businessDate,
  code,
  createdAtColumn,
  idColumn,
  instant,
  json,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

const SigningEnvelopeSchema = defineEntity({
  name: 'SigningEnvelope',
  tableName: 'signing_envelopes',
  properties: {
    id: idColumn('envelope'),
    orgId: orgIdColumn(),
    documentId: p.text(),
    signers: json<Signer[]>(),
    /** The policy it is about. */
    policyId: p.text().strictNullable(),
    submissionId: p.text().strictNullable(),
    appointmentId: p.text().strictNullable(),
    status: code<EnvelopeStatus>().default('created'),
    /** The provider's id; null until the provider has it. */
    externalId: p.text().strictNullable(),
    /** The business date on which it expires. */
    expiresOn: businessDate(),
    /** The business date of the next reminder, or of the expiry; null once the status is final. */
    nextStepOn: businessDate().strictNullable(),
    sentAt: instant().strictNullable(),
    remindedAt: instant().strictNullable(),
    completedAt: instant().strictNullable(),
    voidReason: p.text().strictNullable(),
    /** The signed file, once fetched. */
    signedDocumentId: p.text().strictNullable(),
    createdBy: p.text(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class SigningEnvelope extends SigningEnvelopeSchema.class {}
SigningEnvelopeSchema.setClass(SigningEnvelope);
