// Document templates: an organization can replace any of ours with its own, a page or a fillable PDF. Every version is
// kept, for the documents made with it.
import { z } from 'zod';
import { DocumentTemplate } from '../../../db/entities/document/document-template.ts';
import { newId } from '../../../db/ids.ts';
import { addRow, writeNewRows } from '../../../db/new-rows.ts';
import { sendAgainForRefused } from '../../../db/queries/document/document-orders.ts';
import { newestTemplate, versionName } from '../../../db/queries/document/document-templates.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { lockOrganization } from '../../../db/queries/platform/organizations.ts';
import { isTemplateKind, TEMPLATE_KINDS, type TemplateKind } from '../../../domain/document/kinds.ts';
import { valuePaths } from '../../../domain/document/template-values.ts';
import { defaultTemplate, defaultVersion } from '../../../plans/document/own-templates.ts';
import { sampleFacts } from '../../../plans/document/sample-facts.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { notFound } from '../../spine/validation.ts';
import { checkedTemplate } from './checked-templates.ts';
import { TemplateInputSchema, TemplateSchema } from './documents.schemas.ts';

const facts = {
  tag: 'Documents',
  spec: '4.7, Contract 3.5',
  path: '/document-templates/:kind',
  params: z.strictObject({ kind: z.string().meta({ enum: [...TEMPLATE_KINDS] }) }),
  response: { status: 200, body: TemplateSchema },
} as const;

const getTemplate = route({
  ...facts,
  method: 'get',
  operationId: 'getDocumentTemplate',
  summary: 'Read the template of a kind of document',
  description:
    'The response is your own template, or the default of the platform if you have none. It also lists the values that a template may use, by their names.',
  access: allow('document_template:read'),
  errors: ['not_found'],
  handler: async ({ params, db }) => {
    const kind = knownKind(params.kind);
    const own = await db.read((em) => newestTemplate(em, kind));
    return toWire(kind, own);
  },
});

const putTemplate = route({
  ...facts,
  method: 'put',
  operationId: 'putDocumentTemplate',
  summary: 'Replace the template of a kind of document',
  description:
    'A Liquid template in HTML, or your own fillable PDF with a Liquid text for each of its fields. It must parse, ' +
    'contain no script and use only the values that documents of this kind have. A form is filled with the same ' +
    'values as a page, and its fields become part of the page. If a value does not fit its field, no document is made: ' +
    '`document_not_applicable` with `field` and `reason`, `does_not_fit`, `unknown_letters` (of a script that none of our typefaces covers) or `unknown_option`.',
  access: allow('document_template:write'),
  body: TemplateInputSchema,
  errors: ['not_found', 'unreadable_document'],
  handler: async ({ params, body, actor, org, db, deps, requestId }) => {
    const kind = knownKind(params.kind);
    const template = await checkedTemplate(body, sampleFacts(kind), { db, deps, orgId: org.id });
    return db.transaction(async (em) => {
      await lockOrganization(em, org.id);
      const templateVersion = ((await newestTemplate(em, kind))?.templateVersion ?? 0) + 1;
      const id = newId('documentTemplate');
      const row = addRow(em, DocumentTemplate, { id, kind, ...template, templateVersion, createdBy: actor.id });
      const changes = { kind, templateVersion };
      const audited = { action: 'document_template:write', entityType: 'document_template', entityId: id };
      writeAudit(em, { actor, ...audited, requestId, changes });
      await writeNewRows(em);
      await sendAgainForRefused(em, [kind]);
      return toWire(kind, row);
    });
  },
});

export const templateRoutes = [getTemplate, putTemplate];

/** @throws DomainError not_found */
function knownKind(kind: string): TemplateKind {
  if (isTemplateKind(kind)) return kind;
  throw notFound('template');
}

function toWire(kind: TemplateKind, own: DocumentTemplate | null) {
  const { html, documentId, fields } = own ?? { html: defaultTemplate(kind), documentId: null, fields: null };
  return {
    ...{ kind, templateVersion: own === null ? defaultVersion(kind) : versionName(kind, own), isDefault: own === null },
    ...{ html, documentId, fields: fields && { ...fields }, names: valuePaths(sampleFacts(kind)) },
  };
}
