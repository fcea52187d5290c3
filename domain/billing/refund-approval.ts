// A refund that needs approval: what a decision leads to. Until then nothing moves, and its money is reserved.
import { nextState, type TransitionTable } from '../transition.ts';
import type { PaymentStatus } from './payment.ts';

/** The people and keys behind a refund. None of them may approve it: a key acts for its maker. */
export function requestersOf(
  approval: { requestedBy: string; onBehalfOf: string | null } | null | undefined,
): string[] {
  return [approval?.requestedBy, approval?.onBehalfOf].filter((id) => typeof id === 'string');
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
