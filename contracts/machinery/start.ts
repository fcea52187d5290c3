// How a workflow is started: its id, its type, and the options common to every start.

import type { SearchAttributePair } from '@temporalio/common';
import type { Notice } from '../notice.ts';
import { readable } from './data-converter.ts';
import { PRIORITY, type Urgency } from './queues.ts';
import { SEARCH_ATTRIBUTES } from './search-attributes.ts';

export const submissionWorkflowId = (orgId: string, submissionId: string): string =>
  `submission/${orgId}/${submissionId}`;

export const policyWorkflowId = (orgId: string, policyId: string): string => `policy/${orgId}/${policyId}`;

export const claimWorkflowId = (orgId: string, claimId: string): string => `claim/${orgId}/${claimId}`;

export const appointmentWorkflowId = (orgId: string, appointmentId: string): string =>
  `appointment/${orgId}/${appointmentId}`;

export const claimPaymentWorkflowId = (orgId: string, paymentId: string): string =>
  `claim-payment/${orgId}/${paymentId}`;

export const paymentWorkflowId = (orgId: string, paymentId: string): string => `payment/${orgId}/${paymentId}`;

export const refundWorkflowId = (orgId: string, refundId: string): string => `refund/${orgId}/${refundId}`;

export const noticeWorkflowId = (orgId: string, policyId: string, { kind, on, transactionId }: Notice): string =>
  `notice/${orgId}/${policyId}/${kind}/${on}${transactionId ? `/${transactionId}` : ''}`;

export const collectionWorkflowId = (orgId: string, invoiceId: string): string => `collection/${orgId}/${invoiceId}`;

export const attemptCancellationWorkflowId = (orgId: string, attemptId: string): string =>
  `attempt-cancellation/${orgId}/${attemptId}`;

/** One per bill and business date. */
export const autopayChargeWorkflowId = (orgId: string, invoiceId: string, date: string): string =>
  `autopay/${orgId}/${invoiceId}/${date}`;

export const invoiceVoidWorkflowId = (orgId: string, invoiceId: string): string => `invoice-void/${orgId}/${invoiceId}`;

export const inboundWorkflowId = (provider: string, eventId: string): string => `inbound/${provider}/${eventId}`;

/** One per message from the e-mail provider, which may send it more than once. */
export const emailEventWorkflowId = (messageId: string): string => `email/${messageId}`;

export const signingEnvelopeWorkflowId = (orgId: string, envelopeId: string): string =>
  `envelope/${orgId}/${envelopeId}`;

/** `which` is the batch's id, or the business date of a daily one. */
export const renewalBatchWorkflowId = (orgId: string, which: string): string => `renewal-batch/${orgId}/${which}`;

export const billingHoldWorkflowId = (orgId: string, holdId: string): string => `billing-hold/${orgId}/${holdId}`;

/** One at a time per organization: a run reads all of its books. */
export const trustRunWorkflowId = (orgId: string): string => `trust-run/${orgId}`;

export const disbursementWorkflowId = (orgId: string, disbursementId: string): string =>
  `disbursement/${orgId}/${disbursementId}`;

export const remittanceWorkflowId = (orgId: string, remittanceId: string): string =>
  `remittance/${orgId}/${remittanceId}`;

/** One per subscription, so that two never call the same receiver. */
export const eventDeliveryWorkflowId = (orgId: string, webhookId: string): string => `event/${orgId}/${webhookId}`;

export const documentWorkflowId = (orgId: string, documentId: string): string => `document/${orgId}/${documentId}`;

export const bordereauWorkflowId = (orgId: string, bordereauId: string): string => `bordereau/${orgId}/${bordereauId}`;

export const testClockWorkflowId = (orgId: string): string => `test-clock/${orgId}`;

/**
 * When a worker dies, another gets its workflow task only after this time, while the caller waits. Less would be tight
 * for a long replay on a busy machine.
 */
const WORKFLOW_TASK_TIMEOUT = '5 seconds';

/** Workflow types by name, for callers that must not import the workflow's code. */
export const WORKFLOW_TYPES = {
  submission: 'submissionWorkflow',
  policy: 'policyWorkflow',
  claim: 'claimWorkflow',
  appointment: 'appointmentWorkflow',
  claimPayment: 'claimPaymentWorkflow',
  payment: 'paymentWorkflow',
  refund: 'refundWorkflow',
  notice: 'noticeWorkflow',
  billingHold: 'billingHoldWorkflow',
  collection: 'collectionWorkflow',
  attemptCancellation: 'attemptCancellationWorkflow',
  invoiceVoid: 'invoiceVoidWorkflow',
  autopayCharge: 'autopayChargeWorkflow',
  autopaySetup: 'autopaySetupWorkflow',
  autopaySweep: 'autopaySweepWorkflow',
  disbursement: 'disbursementWorkflow',
  remittance: 'remittanceWorkflow',
  inboundEvent: 'inboundEventWorkflow',
  cardPayout: 'cardPayoutWorkflow',
  identityEvent: 'identityEventWorkflow',
  emailEvent: 'emailEventWorkflow',
  signingEvent: 'signingEventWorkflow',
  signingEnvelope: 'signingEnvelopeWorkflow',
  trustReconciliation: 'trustReconciliationWorkflow',
  trustRun: 'trustRunWorkflow',
  complianceSweep: 'complianceSweepWorkflow',
  bordereau: 'bordereauWorkflow',
  bordereauSweep: 'bordereauSweepWorkflow',
  renewalBatch: 'renewalBatchWorkflow',
  renewalSweep: 'renewalSweepWorkflow',
  document: 'documentWorkflow',
  eventDelivery: 'eventDeliveryWorkflow',
  healing: 'healingWorkflow',
  testClock: 'testClockWorkflow',
} as const;

/** Work that may be abandoned at any time: what is done stays done, and the rest is done later. */
export const CANCELLABLE_TYPES: readonly string[] = [
  WORKFLOW_TYPES.autopaySweep,
  WORKFLOW_TYPES.complianceSweep,
  WORKFLOW_TYPES.bordereau,
  WORKFLOW_TYPES.bordereauSweep,
  WORKFLOW_TYPES.renewalBatch,
  WORKFLOW_TYPES.renewalSweep,
  WORKFLOW_TYPES.trustReconciliation,
  WORKFLOW_TYPES.trustRun,
];

/** What we know about an entity when its workflow starts; the workflow adds the rest itself. */
export interface EntityFacts {
  orgId: string;
  entityId: string;
  status?: string | undefined;
  lineOfBusiness?: string | undefined;
  policyNumber?: string | undefined;
  /** What operators read in the list; by default the policy number, or else the entity. */
  summary?: string | undefined;
  /** What operators read before the workflow's first run. */
  details?: string | undefined;
}

/** Options common to every start: timeout, priority, fairness between organizations, what operators see. */
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
    staticSummary: readable(facts.summary ?? facts.policyNumber ?? facts.entityId),
    ...(facts.details ? { staticDetails: readable(facts.details) } : {}),
    typedSearchAttributes: attributes,
  } as const;
}
