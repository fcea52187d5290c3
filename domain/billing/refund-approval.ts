// A refund that needs approval: what a decision leads to. Until then nothing moves, and its money is reserved.
import type { BusinessDate } from '../dates.ts';
import { nextState, refusedMove, type TransitionTable } from '../transition.ts';
import type { PaymentStatus } from './payment.ts';

/** The people and keys behind a refund. None of them may approve it: a key acts for its maker. */
export function requestersOf(
  approval: { requestedBy: string; onBehalfOf: string | null; others?: string[] } | null | undefined,
): string[] {
  const { requestedBy, onBehalfOf, others = [] } = approval ?? {};
  return [requestedBy, onBehalfOf, ...others].filter((id) => typeof id === 'string');
}

/**
 * The day on which money goes back: that of the approval where it waited for one, since the books of the day of the
 * request may have been reported.
 */
export function returnedOn(row: {
  receivedOn: BusinessDate;
  approval?: { decidedOn?: BusinessDate } | null | undefined;
}): BusinessDate {
  return row.approval?.decidedOn ?? row.receivedOn;
}

export type RefundDecision = 'approve' | 'reject';

/** A rejected refund ends like one that the card processor declines: its reservation is released. */
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
 * Refuses to give back what a bank has taken back meanwhile, or was never good: operating money would pay it.
 * @throws DomainError invalid_state_transition
 */
export function ensureStillHeld(isStillHeld: boolean): void {
  if (!isStillHeld) throw refusedMove('refund', 'pending_approval', 'approve', ['reject']);
}
