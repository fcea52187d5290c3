// The life of a claim: its states and what each allows. Spec 3.5, Contract 3.3, domain facts 2.4.
import { actionsFrom, nextState, refusedMove, type TransitionTable } from '../transition.ts';
import type { ClaimPaymentStatus } from './claim-payment.ts';
import { type ClaimAmounts, totalOf } from './figures.ts';

export const CLAIM_STATUSES = [
  'reported',
  'investigating',
  'settlement_offered',
  'settled',
  'denied',
  'closed',
] as const;
export type ClaimStatus = (typeof CLAIM_STATUSES)[number];

/** What is done to a claim, by the names of the operations. */
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

/** The outcome of a claim that is closed although nothing was paid for the loss. Contract 3.3 "close". */
const WITHOUT_PAYMENT = 'no_payment';

/** What each state allows. Closing before a decision also needs a payment or its outcome. */
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

/** States in which nothing has been decided. */
const UNDECIDED: readonly ClaimStatus[] = ['reported', 'investigating'];

/**
 * Returns the state that an action leads to.
 * @throws DomainError invalid_state_transition with `{resource, from, action, allowed}`. Contract 1.
 */
export function nextClaimStatus(from: ClaimStatus, action: ClaimAction): ClaimStatus {
  return nextState(CLAIM_TRANSITIONS, 'claim', from, action);
}

/**
 * Returns the state that closing leads to. Indemnity that is paid rules the outcome `no_payment` out, so a close that a
 * settlement has overtaken is refused. A claim that is neither decided nor paid closes with that outcome only.
 * @throws DomainError invalid_state_transition. Contract 3.3 "close"
 */
export function closedClaimStatus(from: ClaimStatus, outcome: string | null, paid: ClaimAmounts): ClaimStatus {
  const isWithoutPayment = outcome === WITHOUT_PAYMENT;
  const isUntrue = isWithoutPayment && paid.indemnityCents > 0;
  const isUndecided = UNDECIDED.includes(from) && !isWithoutPayment && totalOf(paid) === 0;
  if (!isUntrue && !isUndecided) return nextClaimStatus(from, 'close');
  const allowed = actionsFrom(CLAIM_TRANSITIONS, from).filter((action) => action !== 'close');
  throw refusedMove('claim', from, 'close', allowed);
}

/**
 * Returns the state that voiding a payment leads to. Of a closed claim a payment that still waits can be stopped; to
 * take back one that was made, the claim is reopened first.
 * @throws DomainError invalid_state_transition
 */
export function voidedClaimStatus(from: ClaimStatus, payment: ClaimPaymentStatus): ClaimStatus {
  return from === 'closed' && payment === 'pending' ? from : nextClaimStatus(from, 'void');
}

/** Whether a claim is still handled: not closed. */
export function isOpenClaim(status: ClaimStatus): boolean {
  return status !== 'closed';
}
