// The document store: who may read what a document belongs to may read the document. Spec 4.7, Contract 3.5.
import { z } from 'zod';
import type { Document } from '../../../db/entities/document/document.ts';
import { findDocument, listDocuments } from '../../../db/queries/document/documents.ts';
import type { ResourceFacts } from '../../../domain/permissions.ts';
import { documentFacts } from '../../../plans/authority/document-facts.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { idParam, pageToWire } from '../../spine/schemas.ts';
import { DocumentListQuery, DocumentPageSchema, DocumentSchema } from './documents.schemas.ts';
import { documentToWire } from './documents.wire.ts';

interface KnownDocument {
  id: string;
  document: Document;
  facts: ResourceFacts;
}

const documentResource: Resource<KnownDocument> = {
  name: 'document',
  load: async (em, id) => {
    const document = await findDocument(em, id);
    return document && { id, document, facts: await documentFacts(em, document) };
  },
  facts: ({ facts }) => facts,
  version: ({ document }) => document.version,
};

const facts = { method: 'get', tag: 'Documents', spec: '4.7, Contract 3.5' } as const;

const listDocumentsRoute = route({
  ...facts,
  path: '/documents',
  operationId: 'listDocuments',
  summary: 'List documents, newest first',
  description: 'Lists the documents that belong to what the caller may read.',
  access: allow('document:read'),
  query: DocumentListQuery,
  response: { status: 200, body: DocumentPageSchema },
  errors: [],
  handler: async ({ query: { limit, cursor, ...filter }, actor, db, deps }) => {
    const page = await db.read((em) => listDocuments(em, actor, filter, { limit, cursor }));
    return pageToWire(page, (document) => documentToWire(document, deps));
  },
});

const getDocument = route({
  ...facts,
  path: '/documents/:id',
  operationId: 'getDocument',
  summary: 'Read a document, with a new address to download it',
  description:
    'The address works for 15 minutes; call this again for a new one. A document belongs to the policy, claim, invoice or other resource that it names.',
  access: allow('document:read', documentResource),
  params: z.strictObject({ id: idParam('document') }),
  response: { status: 200, body: DocumentSchema },
  errors: [],
  handler: ({ row: { document }, deps }) => documentToWire(document, deps),
});

export const documentRoutes = [listDocumentsRoute, getDocument];
