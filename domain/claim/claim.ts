// The life of a claim: its states and what each allows. Spec 3.5, Contract 3.3, domain facts 2.4.
import { DomainError } from '../errors.ts';
import { actionsFrom, nextState, type TransitionTable } from '../transition.ts';
import type { ClaimPaymentStatus } from './claim-payment.ts';
import { type ClaimAmounts, sumOfAmounts } from './figures.ts';

export const CLAIM_STATUSES = [
  'reported',
  'investigating',
  'settlement_offered',
  'settled',
  'denied',
  'closed',
] as const;
export type ClaimStatus = (typeof CLAIM_STATUSES)[number];

/** The actions on a claim, by operation name. */
export type ClaimAction =
  | 'investigate'
  | 'assign'
  | 'reserve'
  | 'settle'
  | 'approve'
  | 'reject'
  | 'pay'
  | 'void'
  | 'recover'
  | 'deny'
  | 'close'
  | 'reopen';

/** The outcome of a claim closed without payment for the loss. Contract 3.3 "close". */
const WITHOUT_PAYMENT = 'no_payment';

/** What each state allows. Some moves need more than the state: `claimMoves` says which would succeed. */
const CLAIM_TRANSITIONS: TransitionTable<ClaimStatus, ClaimAction> = {
  reported: {
    investigate: 'investigating',
    assign: 'reported',
    reserve: 'reported',
    deny: 'denied',
    close: 'closed',
  },
  investigating: {
    assign: 'investigating',
    reserve: 'investigating',
    settle: 'settlement_offered',
    pay: 'investigating',
    void: 'investigating',
    recover: 'investigating',
    deny: 'denied',
    close: 'closed',
  },
  settlement_offered: {
    assign: 'settlement_offered',
    reserve: 'settlement_offered',
    approve: 'settled',
    reject: 'investigating',
    pay: 'settlement_offered',
    void: 'settlement_offered',
    recover: 'settlement_offered',
    deny: 'denied',
  },
  settled: { assign: 'settled', pay: 'settled', void: 'settled', recover: 'settled', close: 'closed' },
  denied: { assign: 'denied', void: 'denied', recover: 'denied', close: 'closed' },
  closed: { recover: 'closed', reopen: 'investigating' },
};

/** Whether a claim is closed undecided and without payment: that is a decision, which an API key may not make. */
export function isDecidedByClose(from: ClaimStatus, outcome: string | null): boolean {
  return UNDECIDED.includes(from) && outcome === WITHOUT_PAYMENT;
}

/** States before any decision. */
const UNDECIDED: readonly ClaimStatus[] = ['reported', 'investigating'];

/**
 * Returns the state that an action leads to.
 * @throws DomainError invalid_state_transition with `{resource, from, action, allowed}`. Contract 1.
 */
export function nextClaimStatus(from: ClaimStatus, action: ClaimAction): ClaimStatus {
  return nextState(CLAIM_TRANSITIONS, 'claim', from, action);
}

/** The moves of a state. On a closed claim, a pending payment can be stopped. */
export function movesFrom(from: ClaimStatus): ClaimAction[] {
  const moves = actionsFrom(CLAIM_TRANSITIONS, from);
  return from === 'closed' ? ['void', ...moves] : moves;
}

/**
 * Returns the state that closing leads to. Paid indemnity rules out the outcome `no_payment`, so a close overtaken by
 * a settlement is refused. A claim neither decided nor paid closes only with that outcome.
 * @throws DomainError invalid_state_transition, with `field` and `rule` if another outcome would be accepted. Contract
 * 3.3
 */
export function closedClaimStatus(from: ClaimStatus, outcome: string | null, paid: ClaimAmounts): ClaimStatus {
  const to = nextClaimStatus(from, 'close');
  const isWithoutPayment = outcome === WITHOUT_PAYMENT;
  if (isWithoutPayment && paid.indemnityCents > 0) {
    throw otherOutcome(from, 'enum', 'Indemnity has been paid, so no_payment is not the outcome of the claim.');
  }
  if (UNDECIDED.includes(from) && !isWithoutPayment && sumOfAmounts(paid) === 0) {
    const rule = outcome === null ? 'required' : 'enum';
    throw otherOutcome(from, rule, 'The claim is neither decided nor paid: to close it, give the outcome no_payment.');
  }
  return to;
}

function otherOutcome(from: ClaimStatus, rule: 'required' | 'enum', message: string): DomainError {
  const details = { resource: 'claim', from, action: 'close', allowed: movesFrom(from), field: 'outcome', rule };
  return new DomainError('invalid_state_transition', message, details);
}

/**
 * Returns the state that voiding a payment leads to. On a closed claim, a pending payment can be stopped; to take back
 * one already made, reopen the claim first.
 * @throws DomainError invalid_state_transition
 */
export function voidedClaimStatus(from: ClaimStatus, payment: ClaimPaymentStatus): ClaimStatus {
  return from === 'closed' && payment === 'pending' ? from : nextClaimStatus(from, 'void');
}

/**
 * Whether naming an adjuster assigns a claim. The adjuster who filed it has it already and cannot assign it to
 * themselves; anyone else naming them assigns it.
 */
export function isAssignedBy(
  actorId: string,
  adjusterId: string,
  claim: { adjusterId: string | null; isAssigned: boolean },
): boolean {
  if (adjusterId !== claim.adjusterId) return true;
  return !claim.isAssigned && actorId !== adjusterId;
}

/** Whether a claim is still handled: not closed. */
export function isOpenClaim(status: ClaimStatus): boolean {
  return status !== 'closed';
}
