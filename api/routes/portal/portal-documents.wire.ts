// Documents as an insured sees them, with download addresses. Contract 3.7 "Portal", 3.5.
import type { Document } from '../../../db/entities/document/document.ts';
import { type AddressDeps, documentAddress, documentToWire } from '../document/documents.wire.ts';
import type { PortalDocumentWire } from './portal.schemas.ts';

/** A document without its maker and template. */
export function portalDocument(
  document: Readonly<Document>,
  successors: ReadonlyMap<string, string>,
  deps: AddressDeps,
): PortalDocumentWire {
  const { createdBy: _maker, templateVersion: _template, ...shown } = documentToWire(document, successors, deps);
  return shown;
}

/** The address of a document; it needs no credential and expires after 15 minutes. */
export function portalDownload(document: Readonly<Document>, deps: AddressDeps): { url: string; expiresAt: string } {
  const { downloadUrl: url, expiresAt } = documentAddress(document, deps);
  return { url, expiresAt };
}
