// What callers may do with a policy, by API operation name, and the one refusal of everything else. Moves made by the
// calendar or by other steps are left out. Contract 1 `invalid_state_transition`.
import type { BusinessDate } from '../dates.ts';
import { isNoticeInTime, type NonRenewal } from '../renewal/non-renewal.ts';
import { isInRenewalWindow } from '../renewal/renewal.ts';
import { isAllowed, refusedMove } from '../transition.ts';
import { auditRefusal, isAudited } from './audit.ts';
import type { CancellationMethod } from './cancellation-words.ts';
import { POLICY_TRANSITIONS, type PolicyAction, type PolicyStatus } from './policy.ts';
import { isVoidable } from './reversal.ts';
import type { StackedTransaction } from './stack.ts';

const POLICY_OPERATIONS = [
  'endorse',
  'void',
  'cancel',
  'reinstate',
  'renew',
  'non_renew',
  'withdraw_non_renewal',
  'change_payment_plan',
  'audit',
] as const;
export type PolicyOperation = (typeof POLICY_OPERATIONS)[number];

/** What decides which operations would succeed; an omitted fact is unknown. */
export interface OperationFacts {
  status: PolicyStatus;
  state?: string;
  expirationDate?: BusinessDate;
  nonRenewal?: NonRenewal | null;
  /** The next term, if there is one. */
  renewalPolicyId?: string | null;
  cancellation?: { method: CancellationMethod } | null;
  /** Its transactions; without them neither voiding an endorsement nor an audit is offered. */
  stack?: readonly StackedTransaction[];
  /** Whether there is anything to bill on another payment plan. */
  canRebill?: boolean;
}

/**
 * Returns the state that an action leads to. `today` is the business date, if the refusal depends on it.
 * @throws DomainError invalid_state_transition with `{resource, from, action, allowed}`. Contract 1
 */
export function nextPolicyStatus(policy: OperationFacts, action: PolicyAction, today?: BusinessDate): PolicyStatus {
  const next = POLICY_TRANSITIONS[policy.status][action];
  if (next === undefined || isSettled(policy, action)) throw refusedOperation(policy, action, today);
  return next;
}

/** Whether the state of a policy allows an action. */
export function allows(policy: OperationFacts, action: PolicyAction): boolean {
  return isAllowed(POLICY_TRANSITIONS, policy.status, action) && !isSettled(policy, action);
}

/** Lists the operations that a policy allows. */
export function allowedOperations(policy: OperationFacts, today?: BusinessDate): PolicyOperation[] {
  return POLICY_OPERATIONS.filter((operation) => {
    if (operation === 'audit') return today !== undefined && isAuditable(policy, today);
    if (!allows(policy, operation)) return false;
    if (operation === 'withdraw_non_renewal' && !policy.nonRenewal) return false;
    const { stack = [], canRebill = false } = policy;
    if (operation === 'void') return stack.some((row) => isVoidable(stack, row));
    if (operation === 'change_payment_plan') return canRebill;
    if (operation === 'reinstate' && isAudited(stack)) return false;
    return today === undefined || isInTime(policy, operation, today);
  });
}

function refusedOperation(policy: OperationFacts, action: PolicyAction, today?: BusinessDate) {
  const operation = action === 'schedule_cancellation' ? 'cancel' : action;
  return refusedMove('policy', policy.status, operation, allowedOperations(policy, today));
}

/** Whether notice of non-renewal was already given, or there is none to withdraw. */
function isSettled({ nonRenewal }: OperationFacts, action: PolicyAction): boolean {
  if (action === 'non_renew') return Boolean(nonRenewal);
  return action === 'withdraw_non_renewal' && nonRenewal === null;
}

/** False if the policy's history or expiration date is unknown. */
function isAuditable({ status, expirationDate, cancellation, stack }: OperationFacts, today: BusinessDate): boolean {
  if (stack === undefined || expirationDate === undefined) return false;
  return auditRefusal({ status, expirationDate, isFlat: cancellation?.method === 'flat' }, stack, today) === null;
}

/**
 * A policy with a next term or a notice of non-renewal can be neither renewed nor non-renewed; each has its own
 * window.
 */
function isInTime(policy: OperationFacts, operation: PolicyOperation, today: BusinessDate): boolean {
  const { expirationDate, state, nonRenewal, renewalPolicyId } = policy;
  if (operation !== 'renew' && operation !== 'non_renew') return true;
  if (nonRenewal || renewalPolicyId) return false;
  if (expirationDate === undefined || state === undefined) return true;
  return operation === 'renew'
    ? isInRenewalWindow(expirationDate, today)
    : isNoticeInTime({ state, expirationDate }, today);
}
