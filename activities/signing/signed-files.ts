/** A completed envelope's signed file: fetched from the provider and stored as a document beside the unsigned one. */
import { createHash } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { EntityRef } from '../../contracts/machinery/command.ts';
import { newId } from '../../db/ids.ts';
import { documentMadeFor, findDocument, keepDocument } from '../../db/queries/document/documents.ts';
import { findEnvelope, lockEnvelope } from '../../db/queries/signing/signing-envelopes.ts';
import { documentPath } from '../../domain/document/document.ts';
import { uuidOf } from '../../domain/ids.ts';
import { SYSTEM } from '../audit.ts';
import { type Deps, transaction } from '../context.ts';
import { atProvider } from './provider-calls.ts';

/** Stores the signed file once. Without a completed envelope there is none. */
export const fetchSignedFile =
  (deps: Deps) =>
  async ({ orgId, entityId }: EntityRef): Promise<void> => {
    const step = { kind: 'fetchSignedFile', orgId };
    const { isOver, externalId, unsigned } = await transaction(deps, step, async (em) => {
      const envelope = await findEnvelope(em, entityId);
      return {
        isOver: envelope?.status !== 'completed' || envelope.signedDocumentId !== null,
        externalId: envelope?.externalId ?? null,
        unsigned: envelope && (await findDocument(em, envelope.documentId)),
      };
    });
    if (isOver) return;
    if (externalId === null || unsigned === null) throw ApplicationFailure.retryable('The envelope is incomplete.');
    const file = await atProvider(deps, step, () => deps.signing.signedFile(externalId));
    // The same for every attempt, so that a repeat replaces its bytes.
    const id = newId('document', uuidOf(entityId));
    const contentType = 'application/pdf';
    await deps.storage.put(documentPath(orgId, id), file, contentType);
    await transaction(deps, step, async (em) => {
      const envelope = await lockEnvelope(em, entityId);
      const key = `envelope:${entityId}:signed`;
      const { entityType, entityId: of, containsPhi, fileName } = unsigned;
      const facts = { entityType, entityId: of, containsPhi, fileName: `signed-${fileName}`, contentType };
      const sha256 = createHash('sha256').update(file).digest('hex');
      const document =
        (await documentMadeFor(em, key)) ??
        (await keepDocument(em, {
          ...{ id, key, kind: 'signed_document', ...facts, sizeBytes: file.byteLength, sha256 },
          createdBy: SYSTEM.id,
        }));
      if (envelope !== null) envelope.signedDocumentId = document.id;
      await em.flush();
    });
  };
