// The life of a claim: its states and what each allows. Spec 3.5, Contract 3.3, domain facts 2.4.
import { actionsFrom, isAllowed, nextState, refusedMove, type TransitionTable } from '../transition.ts';

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

/** The outcome of a claim that is closed without a decision: nothing was paid. Contract 3.3 "close". */
const WITHOUT_PAYMENT = 'no_payment';

/** What each state allows. Closing before a decision also needs its outcome. */
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

/** States in which nothing has been decided, so that a claim closes only without payment. */
const UNDECIDED: readonly ClaimStatus[] = ['reported', 'investigating'];

/**
 * Returns the state that an action leads to.
 * @throws DomainError invalid_state_transition with `{resource, from, action, allowed}`. Contract 1.
 */
export function nextClaimStatus(from: ClaimStatus, action: ClaimAction): ClaimStatus {
  return nextState(CLAIM_TRANSITIONS, 'claim', from, action);
}

/**
 * Returns the state that closing leads to: from a decision with any outcome, before one only with `no_payment`.
 * @throws DomainError invalid_state_transition. Contract 3.3 "close"
 */
export function closedClaimStatus(from: ClaimStatus, outcome: string | null): ClaimStatus {
  const isUndecided = UNDECIDED.includes(from) && outcome !== WITHOUT_PAYMENT;
  if (!isUndecided || !isAllowed(CLAIM_TRANSITIONS, from, 'close')) return nextClaimStatus(from, 'close');
  const allowed = actionsFrom(CLAIM_TRANSITIONS, from).filter((action) => action !== 'close');
  throw refusedMove('claim', from, 'close', allowed);
}

/** Whether a claim is still handled: not closed. */
export function isOpenClaim(status: ClaimStatus): boolean {
  return status !== 'closed';
}
