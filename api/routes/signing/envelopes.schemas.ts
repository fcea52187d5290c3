// The shapes of signing envelopes. Spec 2.11, 3.2.
import { z } from 'zod';
import { ENVELOPE_STATUSES } from '../../../domain/signing/envelope.ts';
import {
  actorId,
  businessText,
  emailAddress,
  externalId,
  idReference,
  instant,
  isoDate,
  longText,
  pageQuery,
  pageSchema,
} from '../../spine/schemas.ts';

const SIGNERS_AT_MOST = 20;

const status = z.enum(ENVELOPE_STATUSES);

/** What an envelope is about. */
const about = {
  policyId: idReference('policy').optional(),
  submissionId: idReference('submission').optional(),
  appointmentId: idReference('appointment').optional(),
};

export const EnvelopeCreateSchema = z
  .strictObject({
    documentId: idReference('document'),
    signers: z
      .array(z.strictObject({ name: businessText, email: emailAddress }))
      .min(1)
      .max(SIGNERS_AT_MOST),
    ...about,
  })
  .meta({
    id: 'EnvelopeCreate',
    description: 'A document to be signed. It may name the policy, submission or other resource that it is about.',
  });

export const EnvelopeVoidSchema = z.strictObject({ reason: longText }).meta({ id: 'EnvelopeVoid' });

export const EnvelopeListQuery = z.strictObject({
  ...pageQuery,
  status: status.optional(),
  documentId: idReference('document').optional(),
  ...about,
});

export const EnvelopeSchema = z
  .strictObject({
    id: idReference('envelope'),
    orgId: idReference('organization'),
    documentId: idReference('document'),
    signers: z.array(z.strictObject({ name: z.string(), email: z.string() })),
    policyId: idReference('policy').nullable(),
    submissionId: idReference('submission').nullable(),
    appointmentId: idReference('appointment').nullable(),
    status: status.meta({ description: '`completed`, `declined`, `voided` and `expired` are final.' }),
    externalId: externalId.nullable().meta({ description: 'The id at the e-signature provider.' }),
    expiresOn: isoDate,
    sentAt: instant.nullable(),
    remindedAt: instant.nullable(),
    completedAt: instant.nullable(),
    voidReason: z.string().nullable(),
    signedDocumentId: idReference('document')
      .nullable()
      .meta({ description: 'The signed file, soon after completion.' }),
    createdBy: actorId,
    version: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Envelope', description: 'A document sent to the e-signature provider for signature.' });

export const EnvelopePageSchema = pageSchema('Envelope', EnvelopeSchema);
