// What an insured sees of documents, and the addresses to download them. Contract 3.7 "Portal", 3.5.
import type { Document } from '../../../db/entities/document/document.ts';
import { type AddressDeps, documentAddress, documentToWire } from '../document/documents.wire.ts';
import type { PortalDocumentWire } from './portal.schemas.ts';

/** A document without who made it and by which template. */
export function portalDocument(
  document: Readonly<Document>,
  successors: ReadonlyMap<string, string>,
  deps: AddressDeps,
): PortalDocumentWire {
  const { createdBy: _maker, templateVersion: _template, ...shown } = documentToWire(document, successors, deps);
  return shown;
}

/** The address of a document, which needs no credential and ends after a quarter of an hour. */
export function portalDownload(document: Readonly<Document>, deps: AddressDeps): { url: string; expiresAt: string } {
  const { downloadUrl: url, expiresAt } = documentAddress(document, deps);
  return { url, expiresAt };
}
