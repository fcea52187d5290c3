// Maps bordereaux from rows to the wire, with file addresses that expire after 15 minutes.
import type { Document } from '../../../db/entities/document/document.ts';
import type { Bordereau } from '../../../db/entities/insight/bordereau.ts';
import {
  BORDEREAU_FORMATS,
  type BordereauFormat,
  bordereauFileName,
  DIFFERENCES_FILE,
} from '../../../domain/insight/bordereau.ts';
import { toDollars } from '../../../domain/money.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import { type AddressDeps, documentAddress } from '../document/documents.wire.ts';
import type { BordereauWire } from './bordereaux.schemas.ts';

const FILES = [...(Object.keys(BORDEREAU_FORMATS) as BordereauFormat[]), DIFFERENCES_FILE] as const;

/** Returns a bordereau with its files; files of others are left out. */
export function bordereauToWire(
  bordereau: Readonly<Bordereau>,
  documents: readonly Document[],
  deps: AddressDeps,
): BordereauWire {
  const { id, orgId, carrier, month, kind, version, status, through, rowCount, differences, failure } = bordereau;
  const { totals, createdBy, completedAt, createdAt, updatedAt } = bordereau;
  const files = FILES.flatMap((format) => {
    const fileName = bordereauFileName(bordereau, format);
    const document = documents.find((each) => each.entityId === id && each.fileName === fileName);
    return document ? [{ format, document, address: documentAddress(document, deps) }] : [];
  });
  const urls = files.map(({ format, address }) => [format, address.downloadUrl]);
  return {
    ...{ id, orgId, carrier, month, kind, version, status, through, rowCount },
    totals: totals && Object.fromEntries(Object.entries(totals).map(([name, cents]) => [name, toDollars(cents)])),
    differences,
    downloadUrls: files.length === 0 ? null : Object.fromEntries(urls),
    expiresAt: files[0]?.address.expiresAt ?? null,
    files: files.map(({ format, document: { id: documentId, fileName, contentType, sizeBytes: size, sha256 } }) => ({
      ...{ format, documentId, fileName, contentType, size, sha256 },
    })),
    ...{ failure, createdBy, completedAt: completedAt && instantToWire(completedAt) },
    ...{ createdAt: instantToWire(createdAt), updatedAt: instantToWire(updatedAt) },
  };
}
