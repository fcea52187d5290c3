// The shapes of ingested and classified documents. Contract 3.5 "ingest".
import { z } from 'zod';
import { DOCUMENT_TYPES } from '../../../domain/document/classification.ts';
import { DOCUMENT_ENTITIES } from '../../../domain/document/document.ts';
import { businessText, fileNameText, idReference } from '../../spine/schemas.ts';

/** Fields sent with a file. In a form, the file part carries its name and type. */
export const IngestSchema = z.strictObject({
  fileName: fileNameText.default('document').meta({ examples: ['loss-run.pdf'] }),
  contentType: businessText.default('application/octet-stream').meta({
    description: 'The media type of the file. `application/octet-stream` leaves it open.',
    examples: ['application/pdf'],
  }),
  entityType: z
    .enum(DOCUMENT_ENTITIES)
    .optional()
    .meta({ description: 'The kind of resource that the document belongs to.' }),
  entityId: businessText
    .optional()
    .meta({ description: 'The id of that resource. Send it together with `entityType`.' }),
  supersedes: idReference('document').optional().meta({
    description:
      'A received document that this one replaces. It belongs to the same resource, which need not be named.',
  }),
});

const classifiedAs = {
  type: z.enum(DOCUMENT_TYPES),
  confidence: z.number().min(0).max(1),
};

export const IngestedSchema = z
  .strictObject({
    id: idReference('document').meta({ description: 'The id of the document.' }),
    classification: z.strictObject({
      ...classifiedAs,
      alternatives: z.array(z.strictObject(classifiedAs)).meta({ description: 'The next likely types.' }),
    }),
    extracted: z.record(z.string(), z.unknown()).meta({
      description:
        'The values of an ACORD 125 or 126, a loss run, a declarations page or an invoice, as far as they were ' +
        'found. Amounts are in dollars. They are taken from the document and have not been verified. `unread` lists ' +
        'the answers on an ACORD 125 that could not be read, each with its `name`, `page` and `field`.',
    }),
    needsReview: z.boolean().meta({
      description:
        'True if the classification is less than 0.7 sure, if a loss run could not be read in full (it then has no totals), if an answer on an ACORD 125 could not be read, or if only a language model read some of the values.',
    }),
    readFrom: z.enum(['form', 'text', 'name']).meta({
      description: 'The source of the values: form fields, text, or only the file name.',
    }),
  })
  .meta({ id: 'IngestedDocument' });

export type IngestBody = z.output<typeof IngestSchema>;
export type IngestedWire = z.output<typeof IngestedSchema>;
