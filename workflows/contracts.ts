/**
 * The wire between those who ask and the workflows that do: names, ids, messages and their plain JSON types.
 * The only file of this folder that the api may import; a workflow file never imports the api.
 */
import { defineSearchAttributeKey, type SearchAttributePair, SearchAttributeType } from '@temporalio/common';
import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type {
  AdvanceTestClock,
  BindOutcome,
  BindPayload,
  Command,
  DeclinePayload,
  PolicyOutcome,
  QuoteOutcome,
  SubmissionChanges,
  SubmissionFields,
  SubmissionOutcome,
  TestClockOutcome,
} from '../activities/messages.ts';
import type {
  CardEvent,
  CollectOutcome,
  CollectPayload,
  InboundOutcome,
  PaymentOutcome,
  PayPayload,
  RefundOutcome,
  RefundPayload,
  StepDecision,
} from '../activities/messages-money.ts';
import type {
  CancelPayload,
  EndorsePayload,
  NonRenewPayload,
  PolicyChangeOutcome,
  ReinstatePayload,
  RenewOutcome,
  RenewPayload,
} from '../activities/messages-policy.ts';
import type { BusinessDate } from '../domain/dates.ts';
import type { PolicyStatus } from '../domain/policy.ts';
import type { SubmissionStatus } from '../domain/submission.ts';

export type * from '../activities/messages.ts';
export type * from '../activities/messages-money.ts';
export type * from '../activities/messages-policy.ts';

/** Task queues by purpose. A prefix keeps the queues of tests and of installations that share a namespace apart. */
export const QUEUES = ['lifecycle'] as const;
export type QueueName = (typeof QUEUES)[number];

/** The task queue that serves `name`, e.g. `lifecycle` or `test7-lifecycle`. */
export const taskQueue = (name: QueueName, prefix = ''): string => (prefix === '' ? name : `${prefix}-${name}`);

export const submissionWorkflowId = (orgId: string, submissionId: string): string =>
  `submission/${orgId}/${submissionId}`;
export const policyWorkflowId = (orgId: string, policyId: string): string => `policy/${orgId}/${policyId}`;
export const paymentWorkflowId = (orgId: string, paymentId: string): string => `payment/${orgId}/${paymentId}`;
export const refundWorkflowId = (orgId: string, refundId: string): string => `refund/${orgId}/${refundId}`;
export const collectionWorkflowId = (orgId: string, invoiceId: string): string => `collection/${orgId}/${invoiceId}`;
export const inboundWorkflowId = (provider: string, eventId: string): string => `inbound/${provider}/${eventId}`;
export const testClockWorkflowId = (orgId: string): string => `test-clock/${orgId}`;

/**
 * After a worker's death a workflow task is given to another one only when this time is over, while the caller waits.
 * Shorter would be tight for a long replay on a busy machine.
 */
export const WORKFLOW_TASK_TIMEOUT = '5 seconds';

/** Workflow types by name, for callers that must not import the workflow's code. */
export const WORKFLOW_TYPES = {
  submission: 'submissionWorkflow',
  policy: 'policyWorkflow',
  payment: 'paymentWorkflow',
  refund: 'refundWorkflow',
  collection: 'collectionWorkflow',
  inboundEvent: 'inboundEventWorkflow',
  trustReconciliation: 'trustReconciliationWorkflow',
  testClock: 'testClockWorkflow',
} as const;

/** Search attributes of every workflow. They are stored in clear text: no personal data. */
export const SEARCH_ATTRIBUTES = {
  orgId: defineSearchAttributeKey('OrgId', SearchAttributeType.KEYWORD),
  entityId: defineSearchAttributeKey('EntityId', SearchAttributeType.KEYWORD),
  entityStatus: defineSearchAttributeKey('EntityStatus', SearchAttributeType.KEYWORD),
  lineOfBusiness: defineSearchAttributeKey('LineOfBusiness', SearchAttributeType.KEYWORD),
  policyNumber: defineSearchAttributeKey('PolicyNumber', SearchAttributeType.KEYWORD),
} as const;

/** `EntityStatus` of the workflows that move money: an operator looks for those that wait. */
export const SAGA_STATUS = { running: 'running', waiting: 'waiting', refused: 'refused' } as const;

/** Memo of a saga that waits: `{step, message}`, so that a list of workflows says what for. Null or absent otherwise. */
export const WAITING_MEMO = 'waitingFor';

/** What is known of an entity when its workflow is started; what is not known yet the workflow adds itself. */
export interface EntityFacts {
  orgId: string;
  entityId: string;
  status?: string | undefined;
  lineOfBusiness?: string | undefined;
  policyNumber?: string | undefined;
}

/** Start options that every start has in common: time bound, fairness between organizations, what the operator sees. */
export function startOptions(workflowId: string, facts: EntityFacts) {
  const attributes: SearchAttributePair[] = [
    { key: SEARCH_ATTRIBUTES.orgId, value: facts.orgId },
    { key: SEARCH_ATTRIBUTES.entityId, value: facts.entityId },
  ];
  if (facts.status) attributes.push({ key: SEARCH_ATTRIBUTES.entityStatus, value: facts.status });
  if (facts.lineOfBusiness) attributes.push({ key: SEARCH_ATTRIBUTES.lineOfBusiness, value: facts.lineOfBusiness });
  if (facts.policyNumber) attributes.push({ key: SEARCH_ATTRIBUTES.policyNumber, value: facts.policyNumber });
  return {
    workflowId,
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    priority: { fairnessKey: facts.orgId },
    staticSummary: facts.policyNumber ?? facts.entityId,
    typedSearchAttributes: attributes,
  } as const;
}

export interface SubmissionWorkflowInput {
  orgId: string;
  submissionId: string;
  /** Set by continue-as-new only. */
  carried?: CarriedSubmission;
}

export interface CarriedSubmission {
  status: SubmissionStatus;
  expiresOn: BusinessDate;
  clockOffsetDays: number;
  /** Newest last. Update ids are remembered per run, so the next run must know what this one has accepted. */
  recentCommandIds: string[];
}

export interface PolicyWorkflowInput {
  orgId: string;
  policyId: string;
  /** Set by the bind and by continue-as-new; without it the workflow reads the row first. */
  carried?: CarriedPolicy;
}

export interface CarriedPolicy {
  policyNumber: string;
  lineOfBusiness?: string;
  status: PolicyStatus;
  effectiveDate: BusinessDate;
  expirationDate: BusinessDate;
  /** The day of a cancellation that is still to come; missing in what runs before it was told have carried on. */
  cancellationDate?: BusinessDate | null;
  /** Missing likewise. */
  renewalPolicyId?: string | null;
  clockOffsetDays: number;
  recentCommandIds: string[];
}

/** Tells a sleeping workflow that the organization's business date has moved; answers when all that fell due is done. */
export interface ClockAdvance {
  clockOffsetDays: number;
}

export const createUpdate = defineUpdate<SubmissionOutcome, [Command<SubmissionFields>]>('create');
export const correctUpdate = defineUpdate<SubmissionOutcome, [Command<SubmissionChanges>]>('correct');
export const quoteUpdate = defineUpdate<QuoteOutcome, [Command]>('quote');
export const bindUpdate = defineUpdate<BindOutcome, [Command<BindPayload>]>('bind');
export const withdrawUpdate = defineUpdate<SubmissionOutcome, [Command]>('withdraw');
export const declineUpdate = defineUpdate<SubmissionOutcome, [Command<DeclinePayload>]>('decline');
export const endorseUpdate = defineUpdate<PolicyChangeOutcome, [Command<EndorsePayload>]>('endorse');
export const cancelUpdate = defineUpdate<PolicyChangeOutcome, [Command<CancelPayload>]>('cancel');
export const reinstateUpdate = defineUpdate<PolicyChangeOutcome, [Command<ReinstatePayload>]>('reinstate');
export const renewUpdate = defineUpdate<RenewOutcome, [Command<RenewPayload>]>('renew');
export const nonRenewUpdate = defineUpdate<PolicyOutcome, [Command<NonRenewPayload>]>('nonRenew');
/** The row of the entity was changed by the step of another one. */
export const rowChangedSignal = defineSignal('rowChanged');
export const advanceClockUpdate = defineUpdate<void, [ClockAdvance]>('advanceClock');
export const advanceTestClockUpdate = defineUpdate<TestClockOutcome, [Command<AdvanceTestClock>]>('advance');

export interface PaymentWorkflowInput {
  orgId: string;
  paymentId: string;
  /** Set for a card payment, which has been recorded when its workflow starts; a manual one is recorded by the update. */
  recorded?: PaymentOutcome;
}

export interface RefundWorkflowInput {
  orgId: string;
  refundId: string;
  /** Set for money that the processor has given back already; one that a user asks for is reserved by the update. */
  recorded?: RefundOutcome;
}

export interface CollectionWorkflowInput {
  orgId: string;
  invoiceId: string;
}

/** One verified event of the card processor. */
export interface InboundEventInput {
  provider: 'card-processor';
  event: CardEvent;
}

export type InboundEventResult = InboundOutcome;

export const recordPaymentUpdate = defineUpdate<PaymentOutcome, [Command<PayPayload>]>('record');
export const refundUpdate = defineUpdate<RefundOutcome, [Command<RefundPayload>]>('refund');
export const collectUpdate = defineUpdate<CollectOutcome, [Command<CollectPayload>]>('collect');
export const retryStepSignal = defineSignal<[StepDecision]>('retryStep');
export const skipStepSignal = defineSignal<[StepDecision]>('skipStep');

export interface TrustReconciliationInput {
  /** How long an organization that does not agree is given before it is looked at again; a minute when left out. */
  lookAgainAfterMs?: number;
  /** The organization after which to go on; set by continue-as-new only. */
  after?: string;
  /** Set by continue-as-new only. */
  found?: { organizations: number; unclean: number };
}
