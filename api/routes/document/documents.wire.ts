// Documents on the wire, with an address that expires after 15 minutes. Contract 3.5.
import type { Document } from '../../../db/entities/document/document.ts';
import { isBordereauFileName } from '../../../domain/insight/bordereau.ts';
import type { RuntimeDeps } from '../../spine/deps.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import { downloadAddress, plainName } from './downloads.ts';

export type AddressDeps = Pick<RuntimeDeps, 'config' | 'now'>;

/** Makes the address for downloading a document without a credential. */
export function documentAddress(document: Readonly<Document>, deps: AddressDeps) {
  const { id, storageKey: path, contentType, sizeBytes: size, fileName: name } = document;
  return downloadAddress(deps, {
    path,
    size,
    contentType,
    fileName: isNamedByUs(document) ? name : plainName(id, name),
  });
}

/** Our names consist of a kind and a number, by which people file the document. */
function isNamedByUs({ kind, fileName, templateVersion }: Readonly<Document>): boolean {
  return isBordereauFileName(fileName) || (templateVersion !== null && kind !== 'rendered');
}

/** Nothing has replaced a document that was just made. */
export const NO_SUCCESSORS: ReadonlyMap<string, string> = new Map();

/** Maps a document to the wire. `successors` maps replaced documents to their replacements, by id. */
export function documentToWire(
  document: Readonly<Document>,
  successors: ReadonlyMap<string, string>,
  deps: AddressDeps,
) {
  const { id, orgId, kind, fileName, contentType, sizeBytes: size, sha256, entityType, entityId } = document;
  const { version, supersedes, templateVersion, createdBy, createdAt } = document;
  return {
    ...{ id, orgId, kind, fileName, contentType, size, sha256, entityType, entityId },
    ...{
      version,
      supersedes,
      supersededBy: successors.get(id) ?? null,
      templateVersion,
      createdBy,
      ...documentAddress(document, deps),
    },
    ...{ createdAt: instantToWire(createdAt), updatedAt: instantToWire(createdAt) },
  };
}
