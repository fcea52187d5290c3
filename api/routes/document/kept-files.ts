// A file from a request, on its way into the document store.
import type { Document } from '../../../db/entities/document/document.ts';
import { keepDocument, type NewDocument } from '../../../db/queries/document/documents.ts';
import { documentPath } from '../../../domain/document/document.ts';
import type { RuntimeDeps } from '../../spine/deps.ts';
import type { ReceivedFile } from '../../spine/files/received-file.ts';
import type { OrganizationDatabase } from '../../spine/route.ts';

/** What is known about a document apart from its bytes. */
export type FileFacts = Omit<NewDocument, 'sizeBytes' | 'sha256'>;

/**
 * Streams a file into storage and writes its row. Repeating it with the same id changes nothing.
 * @throws DomainError service_unavailable when the storage cannot be reached
 */
export async function keepFile(
  file: ReceivedFile,
  facts: FileFacts,
  { deps: { storage }, db, orgId }: { deps: Pick<RuntimeDeps, 'storage'>; db: OrganizationDatabase; orgId: string },
): Promise<Document> {
  const { size, sha256 } = file;
  const { id, contentType } = facts;
  await storage.putStream(documentPath(orgId, id), file.stream(), { contentType, size });
  return db.transaction((em) => keepDocument(em, { ...facts, sizeBytes: size, sha256 }));
}
