// A policy's commands and outcomes: payloads, outcomes, updates and the input of its workflow.

import { defineUpdate } from '@temporalio/workflow';
import type { BusinessDate } from '../domain/dates.ts';
import type { InstallmentPlan } from '../domain/lines.ts';
import type { Cents } from '../domain/money.ts';
import type {
  CancellationMethod,
  CancellationReason,
  CancellationSource,
} from '../domain/policy/cancellation-words.ts';
import type { PolicyStatus } from '../domain/policy/policy.ts';
import type { TermChanges } from '../domain/policy/transaction.ts';
import type { ObsoleteAttempt, PaymentOutcome } from './billing.ts';
import type { Command } from './machinery/command.ts';
import type { Notice } from './notice.ts';
import type { EntityInput } from './standing.ts';

export interface PolicyOutcome {
  policyId: string;
  policyNumber: string;
  lineOfBusiness: string;
  status: PolicyStatus;
  version: number;
  effectiveDate: BusinessDate;
  expirationDate: BusinessDate;
  /** The day of a pending cancellation; null while there is none. */
  cancellationDate: BusinessDate | null;
  /** The next term; null while there is none. */
  renewalPolicyId: string | null;
  /** The next delinquency step; null if there is none. */
  delinquency: { on: BusinessDate; what: string } | null;
  clockOffsetDays: number;
  /** Card attempts on settled or void invoices that must be cancelled; missing if there are none. */
  obsoleteAttempts?: ObsoleteAttempt[];
}

export interface EndorsePayload {
  effectiveDate: BusinessDate;
  changes: TermChanges;
  reason: string | null;
  /** Whether the pending next term is also changed, from its first day. */
  applyToRenewal?: boolean;
}

/** Voids an endorsement that was issued by mistake. */
export interface VoidEndorsementPayload {
  transactionId: string;
  reason: string;
}

/** Null takes the Contract's default. */
export interface CancelPayload {
  effectiveDate: BusinessDate;
  reason: CancellationReason;
  source: CancellationSource | null;
  method: CancellationMethod | null;
}

export interface ReinstatePayload {
  /** Null leaves no gap. */
  effectiveDate: BusinessDate | null;
  reason: string | null;
}

export interface RenewPayload {
  /** Null means the expiration date. */
  effectiveDate: BusinessDate | null;
  changes: TermChanges;
}

export interface NonRenewPayload {
  reason: string;
}

export interface AuditPayload {
  /** The insured's actual revenue during the term. */
  actualRevenueCents: Cents;
  reason: string | null;
}

export interface PaymentPlanPayload {
  installmentPlan: InstallmentPlan;
  reason: string | null;
}

/** An issued transaction, and the reserved refunds whose sagas must start. */
export interface PolicyChangeOutcome extends PolicyOutcome {
  transactionId: string;
  refundIds: string[];
  /** The next term if it ended with this one: its workflow must reread its row; null or missing otherwise. */
  endedTermId?: string | null;
  /** Applications of the insured's own money to invoices, whose sagas must start; missing if there are none. */
  applied?: PaymentOutcome[];
  /** The notice to send to the insured; null or missing if none is due. */
  notice?: Notice | null;
}

/** An endorsement, and the transaction that also applied it to the next term; null or missing if there is none. */
export interface EndorseOutcome extends PolicyChangeOutcome {
  renewalTransactionId?: string | null;
}

/** The step taken for unpaid premium; `transactionId` is empty if it issues no transaction. */
export interface DelinquencyOutcome extends PolicyChangeOutcome {
  /** Null if no step was taken. */
  notice: Notice | null;
}

/** The next term, whose workflow must start. */
export interface RenewOutcome extends PolicyChangeOutcome {
  renewal: PolicyOutcome;
}

export interface PolicyWorkflowInput extends EntityInput {
  policyId: string;
  /** Set by the bind and by continue-as-new; without it the workflow reads the row first. */
  carried?: CarriedPolicy;
}

/** What a policy's workflow must know of its row to wait for the right day. */
export type CarriedPolicy = Pick<
  PolicyOutcome,
  | 'policyNumber'
  | 'lineOfBusiness'
  | 'status'
  | 'effectiveDate'
  | 'expirationDate'
  | 'cancellationDate'
  | 'renewalPolicyId'
  | 'delinquency'
  | 'clockOffsetDays'
>;

export const endorseUpdate = defineUpdate<EndorseOutcome, [Command<EndorsePayload>]>('endorse');

export const voidEndorsementUpdate = defineUpdate<PolicyChangeOutcome, [Command<VoidEndorsementPayload>]>(
  'voidEndorsement',
);

export const cancelUpdate = defineUpdate<PolicyChangeOutcome, [Command<CancelPayload>]>('cancel');

export const reinstateUpdate = defineUpdate<PolicyChangeOutcome, [Command<ReinstatePayload>]>('reinstate');

export const renewUpdate = defineUpdate<RenewOutcome, [Command<RenewPayload>]>('renew');

export const nonRenewUpdate = defineUpdate<PolicyChangeOutcome, [Command<NonRenewPayload>]>('nonRenew');

export const withdrawNonRenewalUpdate = defineUpdate<PolicyChangeOutcome, [Command]>('withdrawNonRenewal');

export const auditUpdate = defineUpdate<PolicyChangeOutcome, [Command<AuditPayload>]>('audit');

export const changePaymentPlanUpdate = defineUpdate<PolicyChangeOutcome, [Command<PaymentPlanPayload>]>(
  'changePaymentPlan',
);
