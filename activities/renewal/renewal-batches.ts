/**
 * The rows of renewal batches: opened with every due policy, read page by page, closed. `renewal-slices.ts` does the
 * renewals. Each step finds what its earlier run wrote. Contract 3.2 "batch".
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import type {
  BatchEnd,
  BatchOutcome,
  BatchRef,
  BatchStanding,
  DailyRenewals,
  PendingRenewals,
  RunRenewalsPayload,
} from '../../contracts/renewal.ts';
import { RenewalBatch } from '../../db/entities/renewal/renewal-batch.ts';
import { newId } from '../../db/ids.ts';
import { addRow } from '../../db/new-rows.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { isFlagOn } from '../../db/queries/platform/flags.ts';
import {
  analyzeGrownTables,
  batchCounts,
  batchOfWorkflow,
  findBatch,
  pendingItems,
  takePolicies,
} from '../../db/queries/renewal/renewal-batches.ts';
import { DomainError } from '../../domain/errors.ts';
import type { ActorRef } from '../../domain/permissions.ts';
import { AUTO_RENEWAL_WITHIN_DAYS } from '../../domain/renewal/renewal.ts';
import { type BusinessDay, businessDay } from '../../plans/platform/business-day.ts';
import { auditOf, SYSTEM } from '../audit.ts';
import { commandActivity, type Deps, transaction } from '../context.ts';

/** Opens a requested batch; the command's entity is its id. */
export const openRenewalBatch = (deps: Deps) =>
  commandActivity<RunRenewalsPayload & { workflowId: string }, null, BatchOutcome>(deps, 'openRenewalBatch', {
    lock: () => Promise.resolve(null),
    work: async (em, { orgId, entityId: id, actor, requestId, payload }) => {
      const day = await businessDay(em, orgId, deps.now());
      return open(em, day, { id, ...payload, actor, requestId, isDaily: false });
    },
  });

/**
 * Opens the daily batch, or continues today's and adds policies that have since come due. Returns null when the flag
 * `auto_renewal` is off.
 */
export const openDailyRenewals =
  (deps: Deps) =>
  ({ orgId, workflowId }: DailyRenewals): Promise<BatchOutcome | null> =>
    transaction(deps, { kind: 'openDailyRenewals', orgId }, async (em) => {
      if (!(await isFlagOn(em, 'auto_renewal'))) return null;
      const day = await businessDay(em, orgId, deps.now());
      const withinDays = AUTO_RENEWAL_WITHIN_DAYS;
      const batch = await batchOfWorkflow(em, workflowId);
      if (batch === null) {
        const request = { id: newId('batch'), workflowId, withinDays, actor: SYSTEM, requestId: null, isDaily: true };
        return open(em, day, request);
      }
      const matched = await takePolicies(em, batch.id, { today: day.today, withinDays });
      if (matched > batch.matched) Object.assign(batch, { matched, status: 'running', completedAt: null });
      return { batchId: batch.id, workflowId, matched };
    });

interface BatchRequest {
  id: string;
  workflowId: string;
  withinDays: number;
  actor: ActorRef;
  requestId: string | null;
  isDaily: boolean;
}

async function open(em: EntityManager, { today }: BusinessDay, request: BatchRequest): Promise<BatchOutcome> {
  const { id, workflowId, withinDays, actor, requestId, isDaily } = request;
  const matched = await takePolicies(em, id, { today, withinDays });
  const facts = { workflowId, withinDays, isDaily, requestId, businessDate: today };
  const row = { id, ...facts, requestedBy: actor, status: 'running', matched, completedAt: null } as const;
  addRow(em, RenewalBatch, row);
  const changes = { withinDays, matched, businessDate: today };
  writeAudit(em, auditOf({ actor, requestId, entityId: id }, 'renewal:run', 'renewal_batch', changes));
  return { batchId: id, workflowId, matched };
}

/** Reads a batch's progress. */
export const readRenewalBatch =
  (deps: Deps) =>
  ({ orgId, batchId }: BatchRef): Promise<BatchStanding> =>
    transaction(deps, { kind: 'readRenewalBatch', orgId }, async (em) => {
      const { status, matched } = await batchOf(em, batchId);
      return { isRunning: status === 'running', matched, counts: await batchCounts(em, batchId) };
    });

/** Reads the ids of the next policies without an outcome; a short page is the last. */
export const pendingRenewals =
  (deps: Deps) =>
  ({ orgId, batchId, after, limit }: PendingRenewals): Promise<string[]> =>
    transaction(deps, { kind: 'pendingRenewals', orgId }, async (em) => {
      await analyzeGrownTables(em);
      return pendingItems(em, batchId, { after, limit });
    });

/** Ends a batch. */
export const closeRenewalBatch =
  (deps: Deps) =>
  ({ orgId, batchId, status }: BatchEnd): Promise<void> =>
    transaction(deps, { kind: 'closeRenewalBatch', orgId }, async (em) => {
      const batch = await batchOf(em, batchId);
      if (batch.status === 'running') Object.assign(batch, { status, completedAt: new Date(deps.now()) });
    });

async function batchOf(em: EntityManager, batchId: string): Promise<RenewalBatch> {
  const batch = await findBatch(em, batchId);
  if (batch === null) throw new DomainError('not_found', 'There is no such batch.');
  return batch;
}
