// The steps of a saga, and an operator's decision about a waiting step.
import { defineSignal } from '@temporalio/workflow';

/** A saga step with its payment or refund; for a notice, its policy; for card attempts, their invoice. */
export interface MoneyStep {
  orgId: string;
  /** Id of the payment, refund, policy or invoice. */
  entityId: string;
}

type EntityType =
  | 'submission'
  | 'policy'
  | 'claim'
  | 'appointment'
  | 'envelope'
  | 'payment'
  | 'claim_payment'
  | 'invoice'
  | 'billing_hold';

/** A step that failed permanently and is waiting for an operator. */
export interface StepFailure extends MoneyStep {
  /** Unique per failure, so that its alert is raised once. */
  alertId: string;
  entityType: EntityType;
  step: string;
  message: string;
  workflowId: string;
}

/** An operator's decision on a waiting step. */
export interface StepDecision {
  step: string;
  /** The decider, for the audit. */
  operator: string;
  reason?: string;
}

/** A step that an operator skips. */
export interface SkippedStep extends MoneyStep, StepDecision {
  entityType: EntityType;
}

export const retryStepSignal = defineSignal<[StepDecision]>('retryStep');

export const skipStepSignal = defineSignal<[StepDecision]>('skipStep');
