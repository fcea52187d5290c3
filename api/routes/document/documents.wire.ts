// Documents on the wire, with an address that ends after a quarter of an hour. Contract 3.5.
import type { Document } from '../../../db/entities/document/document.ts';
import type { RuntimeDeps } from '../../spine/deps.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import { downloadAddress, plainName } from './downloads.ts';

export type AddressDeps = Pick<RuntimeDeps, 'config' | 'now'>;

/** Makes the address at which a document can be downloaded without a credential. */
export function documentAddress(document: Readonly<Document>, deps: AddressDeps) {
  const { id, storageKey: path, fileName, contentType, sizeBytes: size } = document;
  return downloadAddress(deps, { path, size, contentType, fileName: plainName(id, fileName) });
}

/** Turns a document into the wire. */
export function documentToWire(document: Readonly<Document>, deps: AddressDeps) {
  const { id, orgId, kind, fileName, contentType, sizeBytes: size, sha256, entityType, entityId } = document;
  const { version, supersedes, templateVersion, createdBy, createdAt } = document;
  return {
    ...{ id, orgId, kind, fileName, contentType, size, sha256, entityType, entityId },
    ...{ version, supersedes, templateVersion, createdBy, ...documentAddress(document, deps) },
    ...{ createdAt: instantToWire(createdAt), updatedAt: instantToWire(createdAt) },
  };
}
