// The life of a policy: its limits, its states, what each allows, and the state a policy is in on a given day.
// Contract 3.2.
import type { BusinessDate } from '../dates.ts';
import type { Cents } from '../money.ts';
import type { TransitionTable } from '../transition.ts';

export const POLICY_STATUSES = [
  'pending',
  'active',
  'pending_cancellation',
  'cancelled',
  'lapsed',
  'expired',
  'renewed',
] as const;
export type PolicyStatus = (typeof POLICY_STATUSES)[number];

/** The states of a policy that has not ended; before its first day it is not in force yet. */
export const LIVE_STATUSES = ['pending', 'active', 'pending_cancellation'] as const satisfies PolicyStatus[];

/** Whether a policy has not ended. */
export function isLive(status: PolicyStatus): boolean {
  return LIVE_STATUSES.some((each) => each === status);
}

/** Whether a policy covers losses on a day, given its status on that day. */
export function isInForce(status: PolicyStatus): boolean {
  return status === 'active' || status === 'pending_cancellation';
}

/** The labels of a policy: its status, and those derived from its bills and its notice. */
export const POLICY_STANDINGS = [...POLICY_STATUSES, 'delinquent', 'non_renewed'] as const;
export type PolicyStanding = (typeof POLICY_STANDINGS)[number];

export const POLICY_ACTIONS = [
  'activate',
  'endorse',
  'void',
  'schedule_cancellation',
  'cancel',
  'lapse',
  'reinstate',
  'renew',
  'non_renew',
  'withdraw_non_renewal',
  'change_payment_plan',
  'expire',
  'succeed',
] as const;
export type PolicyAction = (typeof POLICY_ACTIONS)[number];

/**
 * What each policy state allows. `void` undoes an endorsement; `schedule_cancellation` gives notice for a later day,
 * `cancel` takes effect immediately; `lapse` is the cancellation for non-payment; `renew` binds the next term; at the
 * end of the term a policy expires or is succeeded by its next term. operations.ts lists what callers may do. Contract
 * 3.2.
 */
export const POLICY_TRANSITIONS: TransitionTable<PolicyStatus, PolicyAction> = {
  pending: {
    activate: 'active',
    endorse: 'pending',
    void: 'pending',
    schedule_cancellation: 'pending_cancellation',
    cancel: 'cancelled',
    non_renew: 'pending',
    withdraw_non_renewal: 'pending',
    change_payment_plan: 'pending',
  },
  active: {
    endorse: 'active',
    void: 'active',
    schedule_cancellation: 'pending_cancellation',
    cancel: 'cancelled',
    lapse: 'lapsed',
    renew: 'active',
    non_renew: 'active',
    withdraw_non_renewal: 'active',
    change_payment_plan: 'active',
    expire: 'expired',
    succeed: 'renewed',
  },
  pending_cancellation: {
    endorse: 'pending_cancellation',
    void: 'pending_cancellation',
    schedule_cancellation: 'pending_cancellation',
    cancel: 'cancelled',
    lapse: 'lapsed',
    reinstate: 'active',
    non_renew: 'pending_cancellation',
    withdraw_non_renewal: 'pending_cancellation',
    expire: 'expired',
    succeed: 'renewed',
  },
  cancelled: { reinstate: 'active' },
  lapsed: { reinstate: 'active' },
  expired: { renew: 'renewed', withdraw_non_renewal: 'expired' },
  renewed: {},
};

/** The facts that decide a policy's state. */
export interface PolicyTerm {
  status: PolicyStatus;
  effectiveDate: BusinessDate;
  expirationDate: BusinessDate;
  /** `lapse` marks the platform's own cancellation for non-payment. */
  cancellation: { effectiveDate: BusinessDate; lapse?: boolean } | null;
  renewalPolicyId: string | null;
}

/** The aggregate limit of a policy is twice its occurrence limit. Contract 3.1. */
export function aggregateLimitOf(limitCents: Cents): Cents {
  return 2 * limitCents;
}

/**
 * Returns a policy's state on a business date, from its dates and decisions. Coverage starts and ends at the beginning
 * of a day, so a policy is no longer active on its expiration date. A cancellation as of inception counts immediately.
 * Contract 3.2.
 */
export function policyStatusOn(policy: PolicyTerm, date: BusinessDate): PolicyStatus {
  if (policy.status === 'cancelled' || policy.status === 'lapsed') return policy.status;
  const { cancellation } = policy;
  if (cancellation !== null) {
    const fromInception = cancellation.effectiveDate <= policy.effectiveDate;
    if (fromInception || cancellation.effectiveDate <= date) {
      return cancellation.lapse === true ? 'lapsed' : 'cancelled';
    }
    return 'pending_cancellation';
  }
  if (date >= policy.expirationDate) return policy.renewalPolicyId === null ? 'expired' : 'renewed';
  return date < policy.effectiveDate ? 'pending' : 'active';
}

/** Returns the state of a term that is bound on a given day. Contract 3.2. */
export function statusAtBind(term: Pick<PolicyTerm, 'effectiveDate' | 'expirationDate'>, today: BusinessDate) {
  return policyStatusOn({ status: 'pending', ...term, cancellation: null, renewalPolicyId: null }, today);
}

/**
 * Returns the derived list of states: the one state, then `delinquent` and `non_renewed` where they apply. Contract
 * 3.2.
 */
export function policyStatuses(
  status: PolicyStatus,
  also: { delinquent: boolean; nonRenewed: boolean },
): PolicyStanding[] {
  return [
    status,
    ...(also.delinquent ? (['delinquent'] as const) : []),
    ...(also.nonRenewed ? (['non_renewed'] as const) : []),
  ];
}
