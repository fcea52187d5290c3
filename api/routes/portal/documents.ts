// An insured's documents in the policyholder portal: those made for them. Spec 4.14, Contract 3.7 "Portal".
import { z } from 'zod';
import type { Document } from '../../../db/entities/document/document.ts';
import { equalTo } from '../../../db/queries/pages.ts';
import { findOwnDocument, ownSuccessorsOf, pageOfOwnDocuments } from '../../../db/queries/portal/own-rows.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { idParam, pageToWire } from '../../spine/schemas.ts';
import { PORTAL } from './own-rows.ts';
import { PortalDocumentListQuery, PortalDocumentPageSchema, PortalDownloadSchema } from './portal.schemas.ts';
import { portalDocument, portalDownload } from './portal-documents.wire.ts';

const ownDocument: Resource<Document> = {
  name: 'document',
  load: (em, id, { id: policyId }) => findOwnDocument(em, { id, policyId }),
  facts: ({ orgId }) => ({ orgId }),
  version: ({ version }) => version,
};

const listDocuments = route({
  ...PORTAL,
  method: 'get',
  path: '/portal/documents',
  operationId: 'listPortalDocuments',
  summary: "List the documents of the insured's policies and invoices",
  description: 'Filter by kind. To download a document, request its address.',
  access: allow('portal:use'),
  query: PortalDocumentListQuery,
  response: { status: 200, body: PortalDocumentPageSchema },
  errors: [],
  handler: ({ query: { limit, cursor, kind }, actor, db, deps }) =>
    db.read(async (em) => {
      const page = await pageOfOwnDocuments(em, actor.id, equalTo({ kind }), { limit, cursor });
      const successors = await ownSuccessorsOf(em, actor.id, page.data);
      return pageToWire(page, (document) => portalDocument(document, successors, deps));
    }),
});

const downloadDocument = route({
  ...PORTAL,
  method: 'get',
  path: '/portal/documents/:id/download',
  operationId: 'downloadPortalDocument',
  summary: 'Get an address to download a document',
  description:
    'The address works for 15 minutes; call this again for a new one. A document that belongs to someone else returns 404.',
  access: allow('portal:use', ownDocument),
  params: z.strictObject({ id: idParam('document') }),
  response: { status: 200, body: PortalDownloadSchema },
  errors: [],
  handler: ({ row, deps }) => portalDownload(row, deps),
});

export const portalDocumentRoutes = [listDocuments, downloadDocument];
