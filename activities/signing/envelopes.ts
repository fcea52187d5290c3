/**
 * The steps of an envelope: each calls the provider, then notes in the row what the provider has done. Run twice, a
 * step finds in the row, or at the provider, what the first run did.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { ApplicationFailure } from '@temporalio/common';
import type { Command, EntityRef } from '../../contracts/machinery/command.ts';
import type { EnvelopeOutcome, EnvelopeStanding } from '../../contracts/signing.ts';
import type { Document } from '../../db/entities/document/document.ts';
import type { SigningEnvelope } from '../../db/entities/signing/signing-envelope.ts';
import { findDocument } from '../../db/queries/document/documents.ts';
import { findEnvelope, lockEnvelope } from '../../db/queries/signing/signing-envelopes.ts';
import { daysBetween } from '../../domain/dates.ts';
import { DomainError } from '../../domain/errors.ts';
import { ensureVoidable, isFinal, nextStepAfter } from '../../domain/signing/envelope.ts';
import type { SigningOrder } from '../../providers/ports.ts';
import { SYSTEM } from '../audit.ts';
import { businessDay } from '../business-day.ts';
import { type Deps, transaction } from '../context.ts';
import { ESIGN_PROVIDER, moveEnvelope } from './envelope-rows.ts';
import { atProvider } from './provider-calls.ts';

/** Reads what decides on the next step. */
export const readEnvelope =
  (deps: Deps) =>
  ({ orgId, entityId }: EntityRef): Promise<EnvelopeStanding> =>
    transaction(deps, { kind: 'readEnvelope', orgId }, async (em) => {
      const envelope = known(await findEnvelope(em, entityId));
      const { clockOffsetDays } = await businessDay(em, orgId, deps.now());
      return {
        status: envelope.status,
        expiresOn: envelope.expiresOn,
        nextStepOn: envelope.nextStepOn,
        hasSignedFile: envelope.signedDocumentId !== null,
        clockOffsetDays,
      };
    });

/** Creates the envelope at the provider, which sends it to the signers. */
export const sendEnvelope =
  (deps: Deps) =>
  async ({ orgId, entityId }: EntityRef): Promise<EnvelopeOutcome> => {
    const step = { kind: 'sendEnvelope', orgId };
    const { envelope, document, today } = await transaction(deps, step, async (em) => {
      const envelope = known(await findEnvelope(em, entityId));
      const { today } = await businessDay(em, orgId, deps.now());
      return { envelope, document: known(await findDocument(em, envelope.documentId)), today };
    });
    if (envelope.externalId !== null || isFinal(envelope.status)) return outcomeOf(envelope);
    const file = await bytesOf(deps, document);
    const order: SigningOrder = {
      ...{ envelopeId: envelope.id, fileName: document.fileName, contentType: document.contentType, file },
      signers: envelope.signers,
      expiresInDays: Math.max(1, daysBetween(today, envelope.expiresOn)),
    };
    const externalId = await ordered(deps, { orgId, entityId }, order);
    return changed(deps, { orgId, entityId }, async (em, row) => {
      row.externalId ??= externalId;
      // An event of the provider may have been quicker.
      if (row.status === 'created') moveTo(em, deps, row, 'sent');
      if (!isFinal(row.status)) row.nextStepOn = nextStepAfter(today, row.expiresOn);
    });
  };

/** A document that the provider refuses is not sent again: its envelope is void. */
async function ordered(deps: Deps, ref: EntityRef, order: SigningOrder): Promise<string> {
  const step = { kind: 'sendEnvelope', orgId: ref.orgId };
  try {
    return (await atProvider(deps, step, () => deps.signing.create(order))).externalId;
  } catch (error) {
    if (!(error instanceof ApplicationFailure) || error.type !== 'validation_failed') throw error;
    await changed(deps, ref, async (em, row) => {
      row.voidReason = 'The e-signature provider has refused the document.';
      moveEnvelope(em, row, { status: 'voided', at: new Date(deps.now()), actor: ESIGN_PROVIDER, requestId: null });
    });
    throw error;
  }
}

/** Has the provider remind the signers who have not signed. */
export const remindSigners =
  (deps: Deps) =>
  async (ref: EntityRef): Promise<EnvelopeOutcome> => {
    const step = { kind: 'remindSigners', orgId: ref.orgId };
    const { externalId, status } = await transaction(deps, step, async (em) =>
      known(await findEnvelope(em, ref.entityId)),
    );
    if (externalId !== null && !isFinal(status)) await atProvider(deps, step, () => deps.signing.remind(externalId));
    return changed(deps, ref, async (em, row) => {
      if (isFinal(row.status)) return;
      const { today } = await businessDay(em, ref.orgId, deps.now());
      row.remindedAt = new Date(deps.now());
      row.nextStepOn = nextStepAfter(today, row.expiresOn);
    });
  };

/** Calls the envelope back at a person's command, for the reason in its row. */
export const voidEnvelope =
  (deps: Deps) =>
  async ({ orgId, entityId, actor, requestId }: Command): Promise<EnvelopeOutcome> => {
    const step = { kind: 'voidEnvelope', orgId, requestId };
    const envelope = await transaction(deps, step, async (em) => {
      const row = known(await findEnvelope(em, entityId));
      if (row.status !== 'voided') ensureVoidable(row.status);
      return row;
    });
    if (envelope.status === 'voided') return outcomeOf(envelope);
    await callBack(deps, step, envelope, envelope.voidReason ?? 'Voided.');
    return changed(deps, { orgId, entityId }, async (em, row) => {
      if (row.status === 'voided') return;
      ensureVoidable(row.status);
      moveEnvelope(em, row, { status: 'voided', at: new Date(deps.now()), actor, requestId });
    });
  };

/** Calls the envelope back when its last day has come. */
export const expireEnvelope =
  (deps: Deps) =>
  async (ref: EntityRef): Promise<EnvelopeOutcome> => {
    const step = { kind: 'expireEnvelope', orgId: ref.orgId };
    const envelope = await transaction(deps, step, async (em) => known(await findEnvelope(em, ref.entityId)));
    if (isFinal(envelope.status)) return outcomeOf(envelope);
    await callBack(deps, step, envelope, 'Expired.');
    return changed(deps, ref, async (em, row) => {
      if (!isFinal(row.status)) moveTo(em, deps, row, 'expired');
    });
  };

async function callBack(
  deps: Deps,
  step: { kind: string; orgId: string },
  { externalId }: Readonly<SigningEnvelope>,
  reason: string,
): Promise<void> {
  if (externalId !== null) await atProvider(deps, step, () => deps.signing.callBack(externalId, reason));
}

function moveTo(em: EntityManager, deps: Deps, row: SigningEnvelope, status: 'sent' | 'expired'): void {
  const actor = status === 'sent' ? ESIGN_PROVIDER : SYSTEM;
  moveEnvelope(em, row, { status, at: new Date(deps.now()), actor, requestId: null });
}

/** One transaction on the locked row. */
function changed(
  deps: Deps,
  { orgId, entityId }: EntityRef,
  work: (em: EntityManager, row: SigningEnvelope) => Promise<void>,
): Promise<EnvelopeOutcome> {
  return transaction(deps, { kind: 'changeEnvelope', orgId }, async (em) => {
    const row = known(await lockEnvelope(em, entityId));
    await work(em, row);
    await em.flush();
    return outcomeOf(row);
  });
}

async function bytesOf(deps: Deps, { storageKey }: Readonly<Document>): Promise<Uint8Array> {
  return known(await deps.storage.get(storageKey));
}

function outcomeOf({ id, status }: Readonly<SigningEnvelope>): EnvelopeOutcome {
  return { envelopeId: id, status };
}

function known<Row>(row: Row | null): Row {
  if (row === null) throw new DomainError('not_found', 'There is no such envelope.');
  return row;
}
