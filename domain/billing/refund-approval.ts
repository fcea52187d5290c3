// Decisions on a refund that needs approval. Until then no money moves, and the amount is reserved.
import type { BusinessDate } from '../dates.ts';
import { nextState, refusedMove, type TransitionTable } from '../transition.ts';
import type { PaymentStatus } from './payment.ts';

/** The people and keys behind a refund. None of them may approve it: an API key acts for its creator. */
export function requestersOf(
  approval: { requestedBy: string; onBehalfOf: string | null; others?: string[] } | null | undefined,
): string[] {
  const { requestedBy, onBehalfOf, others = [] } = approval ?? {};
  return [requestedBy, onBehalfOf, ...others].filter((id) => typeof id === 'string');
}

/**
 * The day on which money is returned: that of the approval if it needed one, since the books for the day of the
 * request may already have been reported.
 */
export function returnedOn(row: {
  receivedOn: BusinessDate;
  approval?: { decidedOn?: BusinessDate } | null | undefined;
}): BusinessDate {
  return row.approval?.decidedOn ?? row.receivedOn;
}

export type RefundDecision = 'approve' | 'reject';

/** A rejected refund ends like one declined by the card processor: its reservation is released. */
const DECISIONS: TransitionTable<PaymentStatus, RefundDecision> = {
  pending_approval: { approve: 'pending', reject: 'failed' },
  pending: {},
  succeeded: {},
  failed: {},
};

/**
 * Returns the status that a decision leads to.
 * @throws DomainError invalid_state_transition
 */
export function decidedStatus(from: PaymentStatus, decision: RefundDecision): PaymentStatus {
  return nextState(DECISIONS, 'refund', from, decision);
}

/**
 * Refuses to refund money that a bank has since taken back or that was never good: operating cash would fund it.
 * @throws DomainError invalid_state_transition
 */
export function ensureStillHeld(isStillHeld: boolean): void {
  if (!isStillHeld) throw refusedMove('refund', 'pending_approval', 'approve', ['reject']);
}
