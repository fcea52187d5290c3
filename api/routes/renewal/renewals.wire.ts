// Maps renewal batches to the wire. Contract 3.2 "batch".
import type { RenewalBatch } from '../../../db/entities/renewal/renewal-batch.ts';
import type { Page } from '../../../db/queries/pages.ts';
import type { BatchItem } from '../../../db/queries/renewal/renewal-batches.ts';
import type { BatchCounts } from '../../../domain/renewal/renewal-batch.ts';
import type { DryRun } from './dry-runs.ts';
import type { RenewalBatchWire } from './renewals.schemas.ts';

/** A batch with a page of its items. */
export function batchToWire(batch: RenewalBatch, counts: BatchCounts, items: Page<BatchItem>): RenewalBatchWire {
  const { id: batchId, workflowId, status, matched } = batch;
  return { batchId, workflowId, status, dryRun: false, matched, ...counts, ...pageToWire(items) };
}

/** What a batch would do to all policies it would take, with a page of them. */
export function dryRunToWire({ counts, items }: DryRun): RenewalBatchWire {
  const matched = counts.renewed + counts.referred + counts.failed;
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
