// The result of renewing one policy in a batch, and when there are too many faults to continue. Contract 3.2 "batch".
import type { DomainError, ErrorCode } from '../errors.ts';

export const ITEM_OUTCOMES = ['renewed', 'referred', 'failed'] as const;
export type ItemOutcome = (typeof ITEM_OUTCOMES)[number];

/** Why a policy was not renewed. */
export interface ItemError {
  code: ErrorCode;
  message: string;
}

/** The outcome of one policy; fields that do not apply are null. */
export interface RenewalResult {
  outcome: ItemOutcome;
  renewalPolicyId: string | null;
  error: ItemError | null;
}

/** The number of policies in a batch by outcome. */
export interface BatchCounts {
  renewed: number;
  referred: number;
  failed: number;
}

/** Returns the outcome for a policy that has its next term. Contract 3.2 "batch" */
export function renewedAs(renewalPolicyId: string): RenewalResult {
  return { outcome: 'renewed', renewalPolicyId, error: null };
}

/**
 * Returns the outcome of a refused renewal: renewed if a next term already exists, referred if above authority,
 * otherwise failed with the refusal as its error. Contract 3.2 "batch"
 */
export function outcomeOfRefusal({
  code,
  message,
  details,
}: Pick<DomainError, 'code' | 'message' | 'details'>): RenewalResult {
  const { renewalPolicyId } = details;
  if (code === 'already_exists' && typeof renewalPolicyId === 'string') return renewedAs(renewalPolicyId);
  if (code === 'delegated_authority_exceeded') return { outcome: 'referred', renewalPolicyId: null, error: null };
  return { outcome: 'failed', renewalPolicyId: null, error: { code, message } };
}

/** Whether a failure is our own fault: it says nothing about the policy, and a retry may help. */
export function isFault({ code }: Pick<DomainError, 'code'>): boolean {
  return code === 'internal_error';
}

/** Adds up two counts. */
export function addCounts(a: BatchCounts, b: BatchCounts): BatchCounts {
  return { renewed: a.renewed + b.renewed, referred: a.referred + b.referred, failed: a.failed + b.failed };
}

/** Counts results by their outcome. */
export function countOutcomes(results: readonly Pick<RenewalResult, 'outcome'>[]): BatchCounts {
  const counts = { renewed: 0, referred: 0, failed: 0 };
  for (const { outcome } of results) counts[outcome] += 1;
  return counts;
}
