// Responds with the file of a document.
import type { Document } from '../../../db/entities/document/document.ts';
import type { RuntimeDeps } from '../../spine/deps.ts';
import { reply } from '../../spine/reply.ts';
import { present } from '../rows.ts';

/** Responds with a document's file. @throws DomainError service_unavailable when the storage cannot be reached */
export async function fileReply(
  { storageKey, contentType }: Pick<Document, 'storageKey' | 'contentType'>,
  disposition: string,
  { storage }: Pick<RuntimeDeps, 'storage'>,
) {
  const body = present(await storage.get(storageKey));
  return reply({ status: 200, body, headers: { 'Content-Type': contentType, 'Content-Disposition': disposition } });
}

/** Has a browser save a file under a name; ASCII-only clients see it with underscores. RFC 6266, 8187. */
export function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\w .()-]/g, '_');
  const encoded = encodeURIComponent(fileName).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
