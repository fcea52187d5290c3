/**
 * Renews some of a batch's policies, one after the other, each in its own transaction under its row's lock, as its
 * workflow would. That workflow has nothing to do until a later day, so it is not woken; the next term's starts
 * asleep. Policies with an outcome are skipped, and an existing next term counts as renewed, so a slice may run twice.
 */
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { RenewalSlice, RenewalsGivenUp, SliceOutcome } from '../../contracts/renewal.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { type BatchItem, findBatch, recordOutcomes, stillPending } from '../../db/queries/renewal/renewal-batches.ts';
import { DomainError, type ErrorDetails, isErrorCode } from '../../domain/errors.ts';
import type { ActorRef } from '../../domain/permissions.ts';
import {
  countOutcomes,
  isFault,
  outcomeOfRefusal,
  type RenewalResult,
  renewedAs,
} from '../../domain/renewal/renewal-batch.ts';
import { givingWay } from '../../providers/threads/giving-way.ts';
import { ATTEMPTS_AT_A_FAULT, type Deps, transaction } from '../context.ts';
import { renewInBatch } from './renewals.ts';

/** Waiting for a busy database may outlast the heartbeat timeout that detects a dead worker. */
const BEAT_EVERY_MS = 5_000;
/** On a busy machine a batch gets half of the time. */
const RESTS_FOR_EACH = 1;
/** Attempts at a fault of ours, before the policy is set aside for an operator. */

/** Renews a slice's policies that have no outcome yet. An outage ends the slice once the finished ones are stored. */
export const renewSlice =
  (deps: Deps) =>
  async (slice: RenewalSlice): Promise<SliceOutcome> => {
    const { policyIds, asker } = await whatIsLeft(deps, slice);
    const stopped = cancellationSignal();
    const items: BatchItem[] = [];
    const faultyIds: string[] = [];
    const beat = setInterval(() => heartbeat(), BEAT_EVERY_MS);
    const renewNext = async (policyId: string) => {
      const result = await renewOne(deps, slice, { policyId, ...asker });
      if (result === null) faultyIds.push(policyId);
      else items.push({ policyId, ...result });
    };
    try {
      for (const policyId of policyIds) {
        stopped.throwIfAborted();
        await givingWay(() => renewNext(policyId), { times: RESTS_FOR_EACH, stopping: stopped });
      }
    } finally {
      clearInterval(beat);
      await record(deps, slice, items);
    }
    return { counts: countOutcomes(items), faultyIds };
  };

/** Abandons policies whose renewal failed through a fault of ours. */
export const giveUpRenewals =
  (deps: Deps) =>
  ({ orgId, batchId, policyIds, operator, reason }: RenewalsGivenUp): Promise<void> =>
    transaction(deps, { kind: 'giveUpRenewals', orgId }, async (em) => {
      const left = await stillPending(em, batchId, policyIds);
      const error = { code: 'internal_error', message: reason ?? 'The renewal failed.' } as const;
      const given = { outcome: 'failed', renewalPolicyId: null, error } as const;
      await recordOutcomes(
        em,
        batchId,
        left.map((policyId) => ({ policyId, ...given })),
      );
      if (operator === null || left.length === 0) return;
      writeAudit(em, {
        actor: { kind: 'machine', id: operator, role: 'superadmin' },
        action: 'renewal:skip',
        entityType: 'renewal_batch',
        entityId: batchId,
        changes: { policies: left.length, reason },
      });
    });

interface Asker {
  actor: ActorRef;
  requestId: string;
}

async function whatIsLeft(deps: Deps, slice: RenewalSlice): Promise<{ policyIds: string[]; asker: Asker }> {
  const { orgId, batchId } = slice;
  return transaction(deps, { kind: 'renewSlice', orgId }, async (em) => {
    const batch = await findBatch(em, batchId);
    if (batch === null) throw new DomainError('not_found', 'There is no such batch.');
    const asker = { actor: batch.requestedBy, requestId: batch.requestId ?? batchId };
    return { policyIds: await stillPending(em, batchId, slice.policyIds), asker };
  });
}

/**
 * Renews one policy; null for a fault of ours. The command's id combines batch and policy, so a later batch tries
 * again and finds the next term; a reused id would repeat an earlier refusal forever.
 */
async function renewOne(
  deps: Deps,
  { orgId, batchId, round }: RenewalSlice,
  { policyId, ...asker }: Asker & { policyId: string },
): Promise<RenewalResult | null> {
  const commandId = `renewal/${batchId}/${policyId}/${round}`;
  const payload = { effectiveDate: null, changes: {} };
  const command = { commandId, orgId, entityId: policyId, ...asker, payload };
  for (let attempt = 1; attempt <= ATTEMPTS_AT_A_FAULT; attempt += 1) {
    try {
      const { renewal } = await renewInBatch(deps)(command);
      return renewedAs(renewal.policyId);
    } catch (error) {
      const refusal = refusedRenewal(error);
      if (refusal === null) throw error;
      if (!isFault(refusal)) return outcomeOfRefusal(refusal);
    }
  }
  deps.logger.error({ orgId, batchId, policyId }, 'a policy of a batch could not be renewed');
  return null;
}

/** The refusal or fault that failed a step; null for an outage, which ends the slice's attempt. */
function refusedRenewal(error: unknown): DomainError | null {
  if (!(error instanceof ApplicationFailure)) return null;
  const { type, message, details } = error;
  if (!isErrorCode(type) || type === 'service_unavailable') return null;
  return new DomainError(type, message, (details?.[0] ?? {}) as ErrorDetails);
}

function record(deps: Deps, { orgId, batchId }: RenewalSlice, items: readonly BatchItem[]): Promise<void> {
  if (items.length === 0) return Promise.resolve();
  return transaction(deps, { kind: 'recordRenewals', orgId }, (em) => recordOutcomes(em, batchId, items));
}
