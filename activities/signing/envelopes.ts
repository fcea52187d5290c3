/**
 * An envelope's steps: each calls the provider, then records the result in the row. A second run finds in the row, or
 * at the provider, what the first did.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { ApplicationFailure } from '@temporalio/common';
import type { Command, EntityRef } from '../../contracts/machinery/command.ts';
import type { EnvelopeOutcome, EnvelopeStanding } from '../../contracts/signing.ts';
import type { Document } from '../../db/entities/document/document.ts';
import type { SigningEnvelope } from '../../db/entities/signing/signing-envelope.ts';
import { findDocument } from '../../db/queries/document/documents.ts';
import { commandResult, saveCommand } from '../../db/queries/platform/commands.ts';
import { findEnvelope, lockEnvelope } from '../../db/queries/signing/signing-envelopes.ts';
import { daysBetween } from '../../domain/dates.ts';
import { DomainError, notSetUp } from '../../domain/errors.ts';
import { type EnvelopeEnd, hasEnvelopeEnded, nextStepAfter, refusedVoid } from '../../domain/signing/envelope.ts';
import { businessDay } from '../../plans/platform/business-day.ts';
import type { SigningOrder } from '../../providers/ports.ts';
import { SYSTEM } from '../audit.ts';
import { activityFailure, type Deps, transaction } from '../context.ts';
import { ESIGN_PROVIDER, moveEnvelope } from './envelope-rows.ts';
import { atProvider } from './provider-calls.ts';

/** Reads what decides the next step. */
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
    if (envelope.externalId !== null || hasEnvelopeEnded(envelope.status)) return outcomeOf(envelope);
    const file = await bytesOf(deps, document);
    const order: SigningOrder = {
      ...{ envelopeId: envelope.id, fileName: document.fileName, contentType: document.contentType, file },
      signers: envelope.signers,
      expiresInDays: Math.max(1, daysBetween(today, envelope.expiresOn)),
    };
    const externalId = await ordered(deps, { orgId, entityId }, order);
    return changed(deps, { orgId, entityId }, async (em, row) => {
      row.externalId ??= externalId;
      // A provider event may have come first.
      if (row.status === 'created') moveTo(em, deps, row, 'sent');
      if (!hasEnvelopeEnded(row.status)) row.nextStepOn = nextStepAfter(today, row.expiresOn);
    });
  };

/** A document that the provider refuses is not sent again, nor is one without a provider: its envelope is void. */
async function ordered(deps: Deps, ref: EntityRef, order: SigningOrder): Promise<string> {
  const step = { kind: 'sendEnvelope', orgId: ref.orgId };
  if (!deps.signing.isSetUp) {
    await cannotBeSent(deps, ref, 'No e-signature provider is set up.');
    throw activityFailure(deps, step, notSetUp('e-signature provider'));
  }
  try {
    return (await atProvider(deps, step, () => deps.signing.create(order))).externalId;
  } catch (error) {
    if (!(error instanceof ApplicationFailure) || error.type !== 'validation_failed') throw error;
    await cannotBeSent(deps, ref, 'The e-signature provider has refused the document.');
    throw error;
  }
}

function cannotBeSent(deps: Deps, ref: EntityRef, reason: string): Promise<EnvelopeOutcome> {
  return changed(deps, ref, async (em, row) => {
    row.voidReason = reason;
    moveTo(em, deps, row, 'voided');
  });
}

/** Has the provider remind the signers who have not signed. */
export const remindSigners =
  (deps: Deps) =>
  async (ref: EntityRef): Promise<EnvelopeOutcome> => {
    const step = { kind: 'remindSigners', orgId: ref.orgId };
    const { externalId, status } = await transaction(deps, step, async (em) =>
      known(await findEnvelope(em, ref.entityId)),
    );
    const isOpen = externalId !== null && !hasEnvelopeEnded(status);
    const end = isOpen ? await atProvider(deps, step, () => deps.signing.remind(externalId)) : null;
    return changed(deps, ref, async (em, row) => {
      if (hasEnvelopeEnded(row.status)) return;
      // The provider's event has not reached us.
      if (end !== null) return moveTo(em, deps, row, end);
      const { today } = await businessDay(em, ref.orgId, deps.now());
      row.remindedAt = new Date(deps.now());
      row.nextStepOn = nextStepAfter(today, row.expiresOn);
    });
  };

/**
 * Recalls the envelope at a person's command, for the reason in its row. The audit names the person, even if the
 * provider's report came first.
 * @throws invalid_state_transition for one that has ended, even if only the provider knew so far
 */
export const voidEnvelope =
  (deps: Deps) =>
  async ({ orgId, entityId, commandId, actor, requestId }: Command): Promise<EnvelopeOutcome> => {
    const step = { kind: 'voidEnvelope', orgId, requestId };
    const { envelope, earlier } = await transaction(deps, step, async (em) => ({
      envelope: known(await findEnvelope(em, entityId)),
      earlier: await commandResult(em, commandId),
    }));
    if (earlier !== null) return earlier as EnvelopeOutcome;
    const end = hasEnvelopeEnded(envelope.status)
      ? envelope.status
      : await callBack(deps, step, envelope, envelope.voidReason ?? 'Voided.');
    const outcome = await changed(deps, { orgId, entityId }, async (em, row) => {
      if (row.status !== 'voided' && hasEnvelopeEnded(row.status)) return;
      if (end !== 'voided') return moveTo(em, deps, row, end);
      moveEnvelope(em, row, { status: 'voided', at: new Date(deps.now()), actor, requestId });
      saveCommand(em, commandId, step.kind, outcomeOf(row));
    });
    if (outcome.status === 'voided') return outcome;
    throw activityFailure(deps, step, refusedVoid(outcome.status));
  };

/** Recalls the envelope when its last day has come; if it was completed by then, it stays completed. */
export const expireEnvelope =
  (deps: Deps) =>
  async (ref: EntityRef): Promise<EnvelopeOutcome> => {
    const step = { kind: 'expireEnvelope', orgId: ref.orgId };
    const envelope = await transaction(deps, step, async (em) => known(await findEnvelope(em, ref.entityId)));
    if (hasEnvelopeEnded(envelope.status)) return outcomeOf(envelope);
    const end = await callBack(deps, step, envelope, 'Expired.');
    return changed(deps, ref, async (em, row) => {
      if (!hasEnvelopeEnded(row.status)) moveTo(em, deps, row, end === 'voided' ? 'expired' : end);
    });
  };

/** One that never reached the provider is simply void. */
async function callBack(
  deps: Deps,
  step: { kind: string; orgId: string },
  { externalId }: Readonly<SigningEnvelope>,
  reason: string,
): Promise<EnvelopeEnd> {
  return externalId === null ? 'voided' : atProvider(deps, step, () => deps.signing.callBack(externalId, reason));
}

/** For changes that no command ordered. */
function moveTo(em: EntityManager, deps: Deps, row: SigningEnvelope, status: 'sent' | EnvelopeEnd): void {
  const actor = status === 'expired' ? SYSTEM : ESIGN_PROVIDER;
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
