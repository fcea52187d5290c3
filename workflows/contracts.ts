/**
 * The wire between those who ask and the workflows that do: names, ids, messages and their plain JSON types.
 * The only file of this folder that the api may import; a workflow file never imports the api.
 */
import { defineSearchAttributeKey, type SearchAttributePair, SearchAttributeType } from '@temporalio/common';
import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { BillingHoldOutcome, BillingHoldPayload } from '../activities/billing-holds.ts';
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
import type { Healed } from '../activities/messages-healing.ts';
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
  NonRenewOutcome,
  NonRenewPayload,
  Notice,
  PolicyChangeOutcome,
  ReinstatePayload,
  RenewOutcome,
  RenewPayload,
} from '../activities/messages-policy.ts';
import type { BatchOutcome, RunRenewalsPayload } from '../activities/messages-renewals.ts';
import type { BusinessDate } from '../domain/dates.ts';
import type { BatchCounts } from '../domain/policy-life/renewal-batch.ts';
import type { SubmissionStatus } from '../domain/submission.ts';
import { readable } from './data-converter.ts';

export type { BillingHoldOutcome, BillingHoldPayload } from '../activities/billing-holds.ts';
export type * from '../activities/messages.ts';
export type * from '../activities/messages-money.ts';
export type * from '../activities/messages-policy.ts';
export type * from '../activities/messages-renewals.ts';

/**
 * Task queues by purpose, each with slots of its own, so that none keeps the callers of another waiting: entities and what a caller waits
 * for; calls of providers, storage and mail; batches and sweeps.
 */
export const QUEUES = ['lifecycle', 'outside', 'batch'] as const;
export type QueueName = (typeof QUEUES)[number];

/** The task queue that serves `name`, e.g. `lifecycle` or `test7-lifecycle`. A prefix keeps installations that share a namespace apart. */
export const taskQueue = (name: QueueName, prefix = ''): string => (prefix === '' ? name : `${prefix}-${name}`);

/** The task queue that serves `name` in the installation to which `queue` belongs. */
export const queueBeside = (queue: string, name: QueueName): string => queue.replace(/[^-]+$/, name);

/** Who waits for a workflow or an activity. Where tasks queue up, those of the lower number go first. */
export const PRIORITY = { caller: 1, saga: 3, batch: 5 } as const;
export type Urgency = keyof typeof PRIORITY;

export const submissionWorkflowId = (orgId: string, submissionId: string): string =>
  `submission/${orgId}/${submissionId}`;
export const policyWorkflowId = (orgId: string, policyId: string): string => `policy/${orgId}/${policyId}`;
export const paymentWorkflowId = (orgId: string, paymentId: string): string => `payment/${orgId}/${paymentId}`;
export const refundWorkflowId = (orgId: string, refundId: string): string => `refund/${orgId}/${refundId}`;
export const noticeWorkflowId = (orgId: string, policyId: string, { kind, on }: Notice): string =>
  `notice/${orgId}/${policyId}/${kind}/${on}`;
export const collectionWorkflowId = (orgId: string, invoiceId: string): string => `collection/${orgId}/${invoiceId}`;
export const inboundWorkflowId = (provider: string, eventId: string): string => `inbound/${provider}/${eventId}`;
/** `which` is the batch's id, or the business date of a daily one. */
export const renewalBatchWorkflowId = (orgId: string, which: string): string => `renewal-batch/${orgId}/${which}`;
export const billingHoldWorkflowId = (orgId: string, holdId: string): string => `billing-hold/${orgId}/${holdId}`;
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
  notice: 'noticeWorkflow',
  billingHold: 'billingHoldWorkflow',
  collection: 'collectionWorkflow',
  inboundEvent: 'inboundEventWorkflow',
  trustReconciliation: 'trustReconciliationWorkflow',
  renewalBatch: 'renewalBatchWorkflow',
  renewalSweep: 'renewalSweepWorkflow',
  healing: 'healingWorkflow',
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

/** `EntityStatus` of the workflows that are no entities, and of an entity whose step has failed: an operator looks for those that wait. */
export const SAGA_STATUS = { running: 'running', waiting: 'waiting', refused: 'refused' } as const;

/** Memo of a workflow that waits: `{step, message}`, so that a list of workflows says what for. Absent otherwise. */
export const WAITING_MEMO = 'waitingFor';

/** Kinds of work that may be given up at any time: what they have done stays, and what is left is done another time. */
export const CANCELLABLE_TYPES: readonly string[] = [
  WORKFLOW_TYPES.renewalBatch,
  WORKFLOW_TYPES.renewalSweep,
  WORKFLOW_TYPES.trustReconciliation,
];
/** Memo of a workflow that somebody has tried to cancel. */
export const REFUSAL_MEMO = 'cancellation';

/** What is known of an entity when its workflow is started; what is not known yet the workflow adds itself. */
export interface EntityFacts {
  orgId: string;
  entityId: string;
  status?: string | undefined;
  lineOfBusiness?: string | undefined;
  policyNumber?: string | undefined;
}

/** Start options that every start has in common: time bound, urgency, fairness between organizations, what the operator sees. */
export function startOptions(workflowId: string, urgency: Urgency, facts: EntityFacts) {
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
    priority: { priorityKey: PRIORITY[urgency], fairnessKey: facts.orgId },
    staticSummary: readable(facts.policyNumber ?? facts.entityId),
    typedSearchAttributes: attributes,
  } as const;
}

/** Something that an entity does by itself: what the operator reads of it, and its date; null for what has none. */
export interface StepName {
  step: string;
  on: BusinessDate | null;
}

/** A step that has failed so many times in a row, and when it is tried again. */
export interface HeldStep extends StepName {
  failures: number;
  message: string;
  /** Milliseconds since 1970. */
  retryAtMs: number;
}

/** What one run of an entity's workflow hands to the next, beside the entity's state. */
export interface Standing {
  /** Newest last. Update ids are remembered per run, so the next run must know what this one has accepted. */
  recentCommandIds: string[];
  /** The step that has failed and waits; null when none does. */
  held: HeldStep | null;
  /** Steps that an operator has left out. */
  skipped: StepName[];
}

interface EntityInput {
  orgId: string;
  /** Set by continue-as-new only. */
  standing?: Standing;
  /** Pauses after a step that failed, other than the usual. */
  backOff?: { firstMs: number; longestMs: number };
}

export interface SubmissionWorkflowInput extends EntityInput {
  submissionId: string;
  /** Set by continue-as-new; without it the workflow reads the row first. */
  carried?: CarriedSubmission;
}

export interface CarriedSubmission {
  status: SubmissionStatus;
  expiresOn: BusinessDate;
  clockOffsetDays: number;
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

/** Tells a sleeping workflow that the organization's business date has moved; answers when all that fell due is done or has failed. */
export interface ClockAdvance {
  clockOffsetDays: number;
}

/** Whether everything that has fallen due was done; a step that failed, or was left out, is still due. */
export interface ClockAdvanced {
  isDone: boolean;
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
export const nonRenewUpdate = defineUpdate<NonRenewOutcome, [Command<NonRenewPayload>]>('nonRenew');
/** The row of the entity was changed by the step of another one. */
export const rowChangedSignal = defineSignal('rowChanged');
export const advanceClockUpdate = defineUpdate<ClockAdvanced, [ClockAdvance]>('advanceClock');
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

export interface BillingHoldWorkflowInput {
  orgId: string;
}

/** A mail to the insured of a policy. */
export interface NoticeWorkflowInput extends Notice {
  orgId: string;
  policyId: string;
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
export const placeHoldUpdate = defineUpdate<BillingHoldOutcome, [Command<BillingHoldPayload>]>('place');
export const liftHoldUpdate = defineUpdate<BillingHoldOutcome, [Command]>('lift');
export const retryStepSignal = defineSignal<[StepDecision]>('retryStep');
export const skipStepSignal = defineSignal<[StepDecision]>('skipStep');

export interface TrustReconciliationInput {
  /** How long an organization that does not agree is given before it is looked at again; a minute when left out. */
  lookAgainAfterMs?: number;
  /** Organizations of a page. */
  page?: number;
  /** The organization after which to go on; set by continue-as-new only. */
  after?: string;
  /** Set by continue-as-new only. */
  found?: { organizations: number; unclean: number };
}

export interface RenewalBatchInput {
  orgId: string;
  /** Left out for the daily batch, which opens itself. */
  batchId?: string;
  /** Other than the usual. */
  pace?: Partial<RenewalPace>;
  /** Set by continue-as-new only. */
  carried?: CarriedRenewals;
}

/** How a batch goes on: policies of a page and of a slice, slices under way at a time, and of a run before it is continued as new. */
export interface RenewalPace {
  page: number;
  slice: number;
  atOnce: number;
  slicesOfARun: number;
}

/** Nothing is under way when a batch is continued as new. */
export interface CarriedRenewals {
  batchId: string;
  matched: number;
  counts: BatchCounts;
  /** The policy after which to go on. */
  after: string | null;
  /** Those that failed by a fault of ours and have no outcome yet. */
  faultyIds: string[];
  round: number;
}

export interface RenewalSweepInput {
  /** Organizations of a page. */
  page?: number;
  /** Organizations whose batches run at a time. */
  atOnce?: number;
  /** The organization after which to go on; set by continue-as-new only. */
  after?: string;
  /** Set by continue-as-new only. */
  started?: number;
}

export interface HealingInput {
  /** Only this organization; all of them when left out. */
  orgId?: string;
  /** Whether what is missing is only named. */
  isDryRun?: boolean;
  /** Organizations of a run before it is continued as new. */
  organizationsOfARun?: number;
  /** The organization after which to go on; set by continue-as-new only. */
  after?: string;
  /** Set by continue-as-new only. */
  found?: HealingResult;
}

export interface HealingResult extends Healed {
  organizations: number;
}

export const runRenewalsUpdate = defineUpdate<BatchOutcome, [Command<RunRenewalsPayload>]>('run');
