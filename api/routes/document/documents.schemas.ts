// The shapes of documents. Contract 3.5.

import { z } from 'zod';
import { DOCUMENT_ENTITIES } from '../../../domain/document/document.ts';
import { FORM_FIELDS_MAX } from '../../../domain/document/field-map.ts';
import {
  actorId,
  businessText,
  fileNameText,
  idReference,
  instant,
  pageQuery,
  pageSchema,
  recordId,
} from '../../spine/schemas.ts';

const KIND = 'The kind of document: `declarations`, `certificate`, `invoice`, …';

const documentEntity = z.enum(DOCUMENT_ENTITIES);

export const DocumentListQuery = z.strictObject({
  ...pageQuery,
  entityType: documentEntity.optional(),
  entityId: businessText
    .optional()
    .meta({ description: 'The id of the policy, claim, invoice or other resource that the documents belong to.' }),
  kind: businessText.optional().meta({ description: KIND }),
});

export const DocumentSchema = z
  .strictObject({
    id: idReference('document'),
    orgId: idReference('organization'),
    kind: z.string().meta({ description: KIND, examples: ['declarations'] }),
    fileName: z.string(),
    contentType: z.string(),
    size: z.number().int().meta({ description: 'In bytes.' }),
    sha256: z.string().meta({ description: 'In hexadecimal.' }),
    entityType: documentEntity
      .nullable()
      .meta({ description: 'The resource that it belongs to. Null if it belongs only to the organization.' }),
    entityId: recordId.nullable(),
    version: z
      .number()
      .int()
      .meta({ description: 'Counts from 1; each document that supersedes another has the next number.' }),
    supersedes: idReference('document').nullable().meta({ description: 'The document that this one replaces.' }),
    supersededBy: idReference('document').nullable().meta({
      description: 'The document that replaces this one, if the reader may read it. Null: nothing has replaced it.',
    }),
    templateVersion: z.string().nullable().meta({ description: 'The template it was made with.' }),
    createdBy: actorId,
    downloadUrl: z.string().meta({ description: 'It needs no credential.' }),
    expiresAt: instant.meta({ description: 'When `downloadUrl` expires.' }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Document', description: 'A document that was made or received. It is never changed or removed.' });

export const DocumentPageSchema = pageSchema('Document', DocumentSchema);

const HTML_MAX_CHARACTERS = 1_000_000;
const html = z.string().min(1).max(HTML_MAX_CHARACTERS);

export const RenderSchema = z
  .strictObject({
    html: html.optional().meta({ description: 'A Liquid template in HTML.', examples: ['<h1>{{ title }}</h1>'] }),
    templateId: businessText.optional().meta({ description: 'A kind of document, whose template is used.' }),
    data: z.record(z.string(), z.unknown()).optional().meta({ description: 'The values for the template.' }),
    fileName: fileNameText.optional().meta({ examples: ['summary.pdf'] }),
  })
  .refine(({ html, templateId }) => (html === undefined) !== (templateId === undefined), {
    ...{ path: ['html'], error: 'Exactly one of html and templateId is required.', params: { rule: 'required' } },
  })
  .meta({ id: 'RenderPdf' });

const FIELD_MAX_CHARACTERS = 2_000;

/** The number of fields is checked first: checking tens of thousands of bad ones would hold up everyone. */
const fieldMap = z.preprocess(
  (value, ctx) => {
    const count = typeof value === 'object' && value !== null ? Object.keys(value).length : 1;
    if (count > 0 && count <= FORM_FIELDS_MAX) return value;
    ctx.addIssue({ code: 'custom', message: `A form must have 1 to ${FORM_FIELDS_MAX} fields.` });
    return z.NEVER;
  },
  z.record(z.string().min(1).max(500), z.string().min(1).max(FIELD_MAX_CHARACTERS)),
);

const FIELDS = 'Field of the form → the Liquid text that fills it, such as `{{ policy.number }}`.';

export const TemplateInputSchema = z
  .strictObject({
    html: html.optional().meta({ description: 'A Liquid template in HTML.' }),
    documentId: idReference('document').optional().meta({
      description: 'A fillable PDF of at most 5 MiB, stored by `POST /documents/ingest`. It needs `fields`.',
    }),
    fields: fieldMap
      .optional()
      .meta({ description: `${FIELDS} A box is ticked unless that is empty, \`0\`, \`false\`, \`no\` or \`off\`.` }),
  })
  .refine(({ html, documentId }) => (html === undefined) !== (documentId === undefined), {
    ...{ path: ['html'], error: 'Exactly one of html and documentId is required.', params: { rule: 'required' } },
  })
  .refine(({ documentId, fields }) => (documentId === undefined) === (fields === undefined), {
    ...{ path: ['fields'], error: 'documentId and fields come together.', params: { rule: 'required' } },
  })
  .meta({ id: 'DocumentTemplateInput' });

export const TemplateSchema = z
  .strictObject({
    kind: z.string(),
    templateVersion: z.string(),
    isDefault: z
      .boolean()
      .meta({ description: 'True for the default of the platform: the organization has no template of its own.' }),
    html: z.string().nullable().meta({ description: 'Null: the template is a form.' }),
    documentId: idReference('document')
      .nullable()
      .meta({ description: 'The fillable PDF. Null: the template is a page.' }),
    fields: z.record(z.string(), z.string()).nullable().meta({ description: FIELDS }),
    names: z.array(z.string()).meta({
      description:
        'The values that a template of this kind may use, such as `policy.number`; `limits[].name` is the name of each item of a list.',
    }),
  })
  .meta({ id: 'DocumentTemplate' });
