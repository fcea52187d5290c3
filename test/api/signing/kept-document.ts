// A document in a test platform's storage, with its row.
import { createHash } from 'node:crypto';
import { newId } from '../../../db/ids.ts';
import { keepDocument } from '../../../db/queries/document/documents.ts';
import { documentPath } from '../../../domain/document/document.ts';
import type { Platform } from '../../support/run-platform.ts';

export const KEPT_PDF = Buffer.from('%PDF-1.7\n%%EOF\n');

/** Stores a PDF as a document of the organization; returns its id. */
export async function keptDocument({ database, providers }: Platform, orgId: string): Promise<string> {
  const id = newId('document');
  await providers.storage.put(documentPath(orgId, id), KEPT_PDF, 'application/pdf');
  const sha256 = createHash('sha256').update(KEPT_PDF).digest('hex');
  const facts = { kind: 'contract', fileName: 'contract.pdf', contentType: 'application/pdf', createdBy: 'test' };
  const size = { sizeBytes: KEPT_PDF.length, sha256 };
  await database.transaction(orgId, (em) => keepDocument(em, { id, ...facts, ...size }));
  return id;
}
