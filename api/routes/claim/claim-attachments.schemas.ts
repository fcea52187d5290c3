// The shapes of files on claims. Contract 3.3 "Attachments".
import { z } from 'zod';
import {
  actorId,
  businessText,
  fileNameText,
  idReference,
  instant,
  longText,
  pageSchema,
} from '../../spine/schemas.ts';

/** Fields sent with a file. In a form, the file part carries its name and type. */
export const AttachSchema = z.strictObject({
  fileName: fileNameText.meta({ examples: ['police-report.pdf'] }),
  contentType: businessText.meta({
    description:
      'The media type of the file. The file must be of this type; `application/octet-stream` leaves it open.',
    examples: ['application/pdf'],
  }),
  kind: businessText.default('other').meta({ examples: ['police_report'] }),
  description: longText.optional(),
  containsPhi: z.boolean().optional().meta({
    description: 'True hides the file from callers who may not see protected values. Default: as the claim.',
  }),
});

export const AttachmentSchema = z
  .strictObject({
    id: idReference('attachment'),
    orgId: idReference('organization'),
    claimId: idReference('claim'),
    fileName: z.string(),
    contentType: z.string(),
    size: z.number().int().meta({ description: 'In bytes.' }),
    sha256: z.string().meta({ description: 'In hexadecimal.' }),
    kind: z.string(),
    description: z.string().nullable(),
    containsPhi: z.boolean(),
    duplicateOf: z.string().nullable().meta({ description: 'The first attachment of the claim with the same bytes.' }),
    uploadedBy: actorId,
    downloadUrl: z.string().meta({ description: 'It needs no credential.' }),
    expiresAt: instant.meta({ description: 'When `downloadUrl` expires.' }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'ClaimAttachment', description: 'A file on a claim.' });

export const AttachmentPageSchema = pageSchema('ClaimAttachment', AttachmentSchema);
