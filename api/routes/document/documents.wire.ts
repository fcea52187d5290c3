// Documents on the wire, with an address that ends after a quarter of an hour. Contract 3.5.
import type { Document } from '../../../db/entities/document/document.ts';
import { isBordereauFileName } from '../../../domain/insight/bordereau.ts';
import type { RuntimeDeps } from '../../spine/deps.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import { downloadAddress, plainName } from './downloads.ts';

export type AddressDeps = Pick<RuntimeDeps, 'config' | 'now'>;

/** Makes the address at which a document can be downloaded without a credential. */
export function documentAddress(document: Readonly<Document>, deps: AddressDeps) {
  const { id, storageKey: path, contentType, sizeBytes: size, fileName: name } = document;
  return downloadAddress(deps, {
    path,
    size,
    contentType,
    fileName: isNamedByUs(document) ? name : plainName(id, name),
  });
}

/** Such a name is made of a kind and a number, by which people file it. */
function isNamedByUs({ kind, fileName, templateVersion }: Readonly<Document>): boolean {
  return isBordereauFileName(fileName) || (templateVersion !== null && kind !== 'rendered');
}

/** Nothing has taken the place of a document that has just been made. */
export const NO_SUCCESSORS: ReadonlyMap<string, string> = new Map();

/** Turns a document into the wire. `successors` names what replaced documents, by their ids. */
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
