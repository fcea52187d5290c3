// From renewal batches to the wire. Contract 3.2 "batch".
import type { RenewalBatch } from '../../../db/entities/renewal/renewal-batch.ts';
import type { Page } from '../../../db/queries/pages.ts';
import type { BatchItem } from '../../../db/queries/renewal/renewal-batches.ts';
import { type BatchCounts, countOutcomes } from '../../../domain/renewal/renewal-batch.ts';
import type { RenewalBatchWire } from './renewals.schemas.ts';

/** A batch with a page of its items. */
export function batchToWire(batch: RenewalBatch, counts: BatchCounts, items: Page<BatchItem>): RenewalBatchWire {
  const { id: batchId, workflowId, status, matched } = batch;
  return { batchId, workflowId, status, dryRun: false, matched, ...counts, ...pageToWire(items) };
}

/** What a batch would do to a page of the policies that it would take. */
export function dryRunToWire(matched: number, items: Page<BatchItem>): RenewalBatchWire {
  const counts = countOutcomes(items.data);
  const none = { batchId: null, workflowId: null };
  return { ...none, status: 'completed', dryRun: true, matched, ...counts, ...pageToWire(items) };
}

function pageToWire({ data, nextCursor }: Page<BatchItem>) {
  return { items: data.map(itemToWire), nextCursor };
}

function itemToWire({ policyId, outcome, renewalPolicyId, error }: BatchItem): RenewalBatchWire['items'][number] {
  return {
    policyId,
    outcome,
    ...(renewalPolicyId === null ? {} : { renewalPolicyId }),
    ...(error === null ? {} : { error }),
  };
}
