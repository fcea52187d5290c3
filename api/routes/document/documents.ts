// The document store: who may read what a document belongs to may read the document. Spec 4.7, Contract 3.5.
import { z } from 'zod';
import type { Document } from '../../../db/entities/document/document.ts';
import { findDocument, listDocuments, successorsOf } from '../../../db/queries/document/documents.ts';
import { type Actor, may, type ResourceFacts, roleMay } from '../../../domain/permissions.ts';
import { documentFacts } from '../../../plans/authority/document-facts.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { idParam, pageToWire } from '../../spine/schemas.ts';
import { noteSight, type Reader } from '../claim/seen-claims.ts';
import { ensureNotAwaited } from './awaited-documents.ts';
import { DocumentListQuery, DocumentPageSchema, DocumentSchema } from './documents.schemas.ts';
import { documentToWire } from './documents.wire.ts';

interface KnownDocument {
  id: string;
  document: Document;
  facts: ResourceFacts;
}

export const documentResource: Resource<KnownDocument> = {
  name: 'document',
  load: async (em, id, reader) => {
    const document = await findDocument(em, id);
    if (document === null) {
      await ensureNotAwaited(em, id, reader);
      return null;
    }
    const facts = await documentFacts(em, document);
    return isHidden(reader, facts) ? null : { id, document, facts };
  },
  facts: ({ facts }) => facts,
  version: ({ document }) => document.version,
};

/**
 * A document with protected values is visible only to roles that may read them, like an attachment. A key that lacks
 * the scope is refused with the scope it needs. Contract 3.3.
 */
function isHidden(reader: Actor, facts: ResourceFacts): boolean {
  if (facts.containsPhi !== true || roleMay(reader.role, 'claim:read_phi')) return false;
  return may(reader, 'document:read', { ...facts, containsPhi: false });
}

const facts = { method: 'get', tag: 'Documents', spec: '4.7, Contract 3.5' } as const;

const listDocumentsRoute = route({
  ...facts,
  path: '/documents',
  operationId: 'listDocuments',
  summary: 'List documents, newest first',
  description:
    'Lists the documents of the policies, claims, invoices and other resources that the caller may read. A key needs `documents:read` and the scope that reads the resource, such as `claims:read`. `entityType` and `entityId` show those of one resource.',
  access: allow('document:read'),
  query: DocumentListQuery,
  response: { status: 200, body: DocumentPageSchema },
  errors: [],
  handler: async ({ query: { limit, cursor, ...filter }, actor, requestId, db, deps }) => {
    const { page, successors } = await db.read(async (em) => {
      const found = await listDocuments(em, actor, filter, { limit, cursor });
      return { page: found, successors: await successorsOf(em, actor, found.data) };
    });
    await noted(page.data, { actor, requestId, db });
    return pageToWire(page, (document) => documentToWire(document, successors, deps));
  },
});

const getDocument = route({
  ...facts,
  path: '/documents/:id',
  operationId: 'getDocument',
  summary: 'Get a document with a fresh download address',
  description:
    'The address works for 15 minutes; call this again for a new one. A document that is still being made returns 404 with `details.reason` `being_made`. A document belongs to the policy, claim, invoice or other resource that it names, and a key also needs the scope that reads that resource, such as `claims:read`.',
  access: allow('document:read', documentResource),
  params: z.strictObject({ id: idParam('document') }),
  response: { status: 200, body: DocumentSchema },
  errors: [],
  handler: async ({ row: { document }, actor, requestId, db, deps }) => {
    await noted([document], { actor, requestId, db });
    const successors = await db.read((em) => successorsOf(em, actor, [document]));
    return documentToWire(document, successors, deps);
  },
});

export const documentRoutes = [listDocumentsRoute, getDocument];

/** Each read of protected documents leaves an audit row on their claim, as for its attachments. */
async function noted(seen: readonly Document[], { actor, requestId, db }: Reader): Promise<void> {
  const ofClaims = Map.groupBy(
    seen.filter(({ containsPhi }) => containsPhi),
    ({ entityId }) => entityId ?? '',
  );
  if (ofClaims.size === 0) return;
  await db.transaction(async (em) => {
    for (const [id, documents] of ofClaims) {
      const changes = { fields: ['documents'], documents: documents.map((document) => document.id) };
      noteSight(em, { id }, { actor, requestId }, changes);
    }
  });
}
