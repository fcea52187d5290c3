// The templates of documents: an organization replaces any of ours with its own. Each version is kept, for the
// documents that were made with it.
import { z } from 'zod';
import { DocumentTemplate } from '../../../db/entities/document/document-template.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import { newestTemplate, versionName } from '../../../db/queries/document/document-templates.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { lockOrganization } from '../../../db/queries/platform/organizations.ts';
import { isTemplateKind, TEMPLATE_KINDS, type TemplateKind } from '../../../domain/document/kinds.ts';
import { defaultTemplate, ensureTemplate, pageOfTemplate, templateNames } from '../../../plans/document/page.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { notFound } from '../../spine/validation.ts';
import { TemplateInputSchema, TemplateSchema } from './documents.schemas.ts';

const facts = {
  tag: 'Documents',
  spec: '4.7, Contract 3.5',
  path: '/document-templates/:kind',
  params: z.strictObject({ kind: z.string().meta({ enum: [...TEMPLATE_KINDS] }) }),
  response: { status: 200, body: TemplateSchema },
  errors: ['not_found'],
} as const;

const getTemplate = route({
  ...facts,
  method: 'get',
  operationId: 'getDocumentTemplate',
  summary: 'Read the template of a kind of document',
  access: allow('document_template:read'),
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
  description: 'A Liquid template in HTML. It must parse, contain no script and name only what such documents know.',
  access: allow('document_template:write'),
  body: TemplateInputSchema,
  handler: async ({ params, body: { html }, actor, org, db, requestId }) => {
    const kind = knownKind(params.kind);
    ensureTemplate(html, templateNames(kind));
    pageOfTemplate(html, {});
    return db.transaction(async (em) => {
      await lockOrganization(em, org.id);
      const templateVersion = ((await newestTemplate(em, kind))?.templateVersion ?? 0) + 1;
      const id = newId('documentTemplate');
      const row = addRow(em, DocumentTemplate, { id, kind, html, templateVersion, createdBy: actor.id });
      const changes = { kind, templateVersion };
      const audited = { action: 'document_template:write', entityType: 'document_template', entityId: id };
      writeAudit(em, { actor, ...audited, requestId, changes });
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
  const html = own?.html ?? defaultTemplate(kind);
  return {
    kind,
    templateVersion: versionName(kind, own),
    isDefault: own === null,
    html,
    names: [...templateNames(kind)],
  };
}
