// Pages that callers send, and the documents of invoices. A page cannot reach the network or the disk, and runs no
// script. Spec 4.7, Contract 3.5.
import { z } from 'zod';
import { newId } from '../../../db/ids.ts';
import { currentTemplateVersion } from '../../../db/queries/document/document-templates.ts';
import { isTemplateKind, type TemplateKind } from '../../../domain/document/kinds.ts';
import { validationError } from '../../../domain/errors.ts';
import { refusingText } from '../../../providers/typesetting/given-up.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { idParam } from '../../spine/schemas.ts';
import { invoiceResource } from '../billing/invoices.ts';
import { DocumentSchema, RenderSchema } from './documents.schemas.ts';
import { documentToWire, NO_SUCCESSORS } from './documents.wire.ts';
import { attachment, fileReply } from './file-reply.ts';
import { invoiceOrder, madeDocument } from './made-documents.ts';

const facts = { tag: 'Documents', spec: '4.7, Contract 3.5' } as const;
const PDF = 'application/pdf';

const renderPdf = route({
  ...facts,
  method: 'post',
  path: '/documents/render-pdf',
  operationId: 'renderPdf',
  summary: 'Render a PDF from HTML or a template',
  description:
    'The page is a Liquid template, either sent with the call or stored, filled with `data`. It cannot reach the ' +
    'network or the disk and cannot run scripts. A certificate or an MCS-90 with your own figures is marked as a ' +
    'specimen. With `Accept: application/pdf` the response is the file itself.',
  access: allow('document:render'),
  body: RenderSchema,
  response: { status: 201, body: DocumentSchema },
  alternates: [{ status: 200, body: z.string(), contentType: PDF, description: 'The file.' }],
  errors: ['unreadable_document', 'document_not_applicable'],
  secretFields: ['downloadUrl'],
  handler: async ({ body, actor, db, deps, lifecycle, command, requestId, headers }) => {
    const { html, templateId, data = {}, fileName = 'document.pdf' } = body;
    const kind = templateId === undefined ? null : knownTemplate(templateId);
    const templateVersion = kind && (await db.read((em) => currentTemplateVersion(em, kind)));
    const id = newId('document', command.seedUuid);
    const input = { ...(html === undefined ? { templateId } : { html }), data, fileName: pdfName(fileName) };
    const audited = { actor, action: 'document:render', entityType: 'document', entityId: id, requestId, changes: {} };
    // A template that cannot be used is rejected before it is ordered.
    const check = async () =>
      html !== undefined && (await refusingText({ template: 'html' }, () => deps.typesetter.page(html, data)));
    const document = await madeDocument(
      { id, kind: 'rendered', entityType: null, entityId: null, input, templateVersion, createdBy: actor.id },
      { db, lifecycle, command },
      { audited, check },
    );
    if (!wantsFile(headers.accept)) return documentToWire(document, NO_SUCCESSORS, deps);
    return fileReply(document, attachment(document.fileName), deps);
  },
});

const printInvoice = route({
  ...facts,
  method: 'post',
  path: '/invoices/:id/document',
  operationId: 'printInvoice',
  summary: 'Print an invoice as it stands',
  description:
    'As long as neither the invoice nor a refund of it changes, the response is the same document. Its `downloadUrl` works for 15 minutes; `GET /documents/:id` gives a new one.',
  access: allow('invoice:print', invoiceResource),
  params: z.strictObject({ id: idParam('invoice') }),
  response: { status: 201, body: DocumentSchema },
  errors: ['unreadable_document'],
  secretFields: ['downloadUrl'],
  handler: async ({ row, actor, db, deps, lifecycle, command }) => {
    const order = await db.read((em) => invoiceOrder(em, row, actor.id));
    return documentToWire(await madeDocument(order, { db, lifecycle, command }), NO_SUCCESSORS, deps);
  },
});

export const renderingRoutes = [renderPdf, printInvoice];

/** @throws DomainError validation_failed, rule unknown_reference */
function knownTemplate(templateId: string): TemplateKind {
  if (isTemplateKind(templateId)) return templateId;
  throw validationError('templateId', 'unknown_reference', 'There is no such template.');
}

function pdfName(name: string): string {
  return name.toLowerCase().endsWith('.pdf') ? name : `${name}.pdf`;
}

/** Whether a caller wants the file rather than its metadata. */
function wantsFile(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').map((type) => type.split(';')[0]?.trim().toLowerCase());
  return types.includes(PDF) && !types.includes('application/json');
}
