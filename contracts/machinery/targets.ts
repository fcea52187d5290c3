/**
 * The workflows reachable from outside workflows, by the entity that each belongs to: its id, its input, and how to
 * start it if it is not running.
 */
import type { BusinessDate } from '../../domain/dates.ts';
import { firstDateOf } from '../../domain/policy/first-date.ts';
import type { SubmissionValues } from '../../domain/submission/submission.ts';
import { missingFields } from '../../domain/submission/submission.ts';
import type { ObsoleteAttempt } from '../billing.ts';
import type { Notice } from '../notice.ts';
import type { PolicyOutcome } from '../policy.ts';
import { type QueueName, queueBeside, type Urgency } from './queues.ts';
import {
  appointmentWorkflowId,
  attemptCancellationWorkflowId,
  autopayChargeWorkflowId,
  billingHoldWorkflowId,
  bordereauWorkflowId,
  claimPaymentWorkflowId,
  claimWorkflowId,
  collectionWorkflowId,
  disbursementWorkflowId,
  documentWorkflowId,
  type EntityFacts,
  eventDeliveryWorkflowId,
  invoiceVoidWorkflowId,
  noticeWorkflowId,
  paymentWorkflowId,
  policyWorkflowId,
  refundWorkflowId,
  remittanceWorkflowId,
  renewalBatchWorkflowId,
  signingEnvelopeWorkflowId,
  startOptions,
  submissionWorkflowId,
  testClockWorkflowId,
  trustRunWorkflowId,
  WORKFLOW_TYPES,
} from './start.ts';

/** A workflow, and how to start it if it is absent or closed. */
export interface Target {
  type: string;
  workflowId: string;
  /** Plain JSON. */
  input: object;
  facts: EntityFacts;
  /** By default, the entities' queue. */
  queue?: QueueName;
  /** By default, that of a waiting caller. */
  urgency?: Urgency;
}

/**
 * The options that start a target in the installation that `taskQueue` belongs to. A running one is joined; one that
 * has ended is followed by a new run.
 */
export function startRequest(target: Target, taskQueue: string) {
  const { workflowId, facts, input, queue = 'lifecycle', urgency = 'caller' } = target;
  return {
    ...startOptions(workflowId, urgency, facts),
    taskQueue: queueBeside(taskQueue, queue),
    args: [input],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
  } as const;
}

/** A new submission's known facts are shown from the start; an existing one reads its row. */
export function submissionTarget(orgId: string, submissionId: string, fields?: SubmissionValues): Target {
  const status = fields && (missingFields(fields).length === 0 ? 'triaged' : 'incomplete');
  return {
    type: WORKFLOW_TYPES.submission,
    workflowId: submissionWorkflowId(orgId, submissionId),
    input: { orgId, submissionId },
    facts: { orgId, entityId: submissionId, status, lineOfBusiness: fields?.lineOfBusiness ?? undefined },
  };
}

export function policyTarget(orgId: string, policyId: string): Target {
  return {
    type: WORKFLOW_TYPES.policy,
    workflowId: policyWorkflowId(orgId, policyId),
    input: { orgId, policyId },
    facts: { orgId, entityId: policyId },
  };
}

export function claimTarget(orgId: string, claimId: string): Target {
  return {
    type: WORKFLOW_TYPES.claim,
    workflowId: claimWorkflowId(orgId, claimId),
    input: { orgId, claimId },
    facts: { orgId, entityId: claimId },
  };
}

export function appointmentTarget(orgId: string, appointmentId: string): Target {
  return {
    type: WORKFLOW_TYPES.appointment,
    workflowId: appointmentWorkflowId(orgId, appointmentId),
    input: { orgId, appointmentId },
    facts: { orgId, entityId: appointmentId },
  };
}

export function claimPaymentTarget(orgId: string, paymentId: string): Target {
  return {
    type: WORKFLOW_TYPES.claimPayment,
    workflowId: claimPaymentWorkflowId(orgId, paymentId),
    input: { orgId, paymentId },
    facts: { orgId, entityId: paymentId },
    urgency: 'saga',
  };
}

/** A new term: its known facts, and how long its workflow sleeps, are shown from the start. */
export function termTarget(orgId: string, term: PolicyOutcome): Target {
  const { policyId, policyNumber, lineOfBusiness, status } = term;
  const details = `${status}, asleep until ${firstDateOf(term)} or a command`;
  const target = policyTarget(orgId, policyId);
  return { ...target, facts: { ...target.facts, status, lineOfBusiness, policyNumber, details } };
}

export function paymentTarget(orgId: string, paymentId: string): Target {
  return {
    type: WORKFLOW_TYPES.payment,
    workflowId: paymentWorkflowId(orgId, paymentId),
    input: { orgId, paymentId },
    facts: { orgId, entityId: paymentId },
  };
}

export function refundTarget(orgId: string, refundId: string): Target {
  return {
    type: WORKFLOW_TYPES.refund,
    workflowId: refundWorkflowId(orgId, refundId),
    input: { orgId, refundId },
    facts: { orgId, entityId: refundId },
  };
}

export function collectionTarget(orgId: string, invoiceId: string): Target {
  return {
    type: WORKFLOW_TYPES.collection,
    workflowId: collectionWorkflowId(orgId, invoiceId),
    input: { orgId, invoiceId },
    facts: { orgId, entityId: invoiceId },
  };
}

export function attemptCancellationTarget(orgId: string, { invoiceId, attemptId }: ObsoleteAttempt): Target {
  return {
    type: WORKFLOW_TYPES.attemptCancellation,
    workflowId: attemptCancellationWorkflowId(orgId, attemptId),
    input: { orgId, invoiceId, attemptId },
    facts: { orgId, entityId: invoiceId },
    urgency: 'saga',
  };
}

export function invoiceVoidTarget(orgId: string, invoiceId: string): Target {
  return {
    type: WORKFLOW_TYPES.invoiceVoid,
    workflowId: invoiceVoidWorkflowId(orgId, invoiceId),
    input: { orgId },
    facts: { orgId, entityId: invoiceId },
  };
}

export function disbursementTarget(orgId: string, disbursementId: string): Target {
  return {
    type: WORKFLOW_TYPES.disbursement,
    workflowId: disbursementWorkflowId(orgId, disbursementId),
    input: { orgId },
    facts: { orgId, entityId: disbursementId },
  };
}

export function remittanceTarget(orgId: string, remittanceId: string): Target {
  return {
    type: WORKFLOW_TYPES.remittance,
    workflowId: remittanceWorkflowId(orgId, remittanceId),
    input: { orgId },
    facts: { orgId, entityId: remittanceId },
  };
}

export function billingHoldTarget(orgId: string, holdId: string): Target {
  return {
    type: WORKFLOW_TYPES.billingHold,
    workflowId: billingHoldWorkflowId(orgId, holdId),
    input: { orgId },
    facts: { orgId, entityId: holdId },
  };
}

export function testClockTarget(orgId: string): Target {
  return {
    type: WORKFLOW_TYPES.testClock,
    workflowId: testClockWorkflowId(orgId),
    input: { orgId },
    facts: { orgId, entityId: orgId },
  };
}

export function signingEnvelopeTarget(orgId: string, envelopeId: string): Target {
  return {
    type: WORKFLOW_TYPES.signingEnvelope,
    workflowId: signingEnvelopeWorkflowId(orgId, envelopeId),
    input: { orgId, envelopeId },
    facts: { orgId, entityId: envelopeId },
  };
}

/** The caller waits until it is open; its checks have the priority of batches. */
export function trustRunTarget(orgId: string, reconciliationId: string): Target {
  return {
    type: WORKFLOW_TYPES.trustRun,
    workflowId: trustRunWorkflowId(orgId),
    input: { orgId },
    facts: { orgId, entityId: reconciliationId },
    queue: 'batch',
  };
}

export function eventDeliveryTarget(orgId: string, webhookId: string): Target {
  return {
    type: WORKFLOW_TYPES.eventDelivery,
    workflowId: eventDeliveryWorkflowId(orgId, webhookId),
    input: { orgId, webhookId },
    facts: { orgId, entityId: webhookId },
    queue: 'events',
    urgency: 'saga',
  };
}

/** `urgency` is that of a waiting caller, or of one item in a batch. */
export function documentTarget(orgId: string, documentId: string, urgency: Urgency): Target {
  return {
    type: WORKFLOW_TYPES.document,
    workflowId: documentWorkflowId(orgId, documentId),
    input: { orgId, documentId },
    facts: { orgId, entityId: documentId },
    queue: 'documents',
    urgency,
  };
}

export function bordereauTarget(orgId: string, bordereauId: string): Target {
  return {
    type: WORKFLOW_TYPES.bordereau,
    workflowId: bordereauWorkflowId(orgId, bordereauId),
    input: { orgId, bordereauId },
    facts: { orgId, entityId: bordereauId },
    urgency: 'batch',
  };
}

/** The charge of a bill on a business date. */
export function autopayChargeTarget(orgId: string, invoiceId: string, date: string): Target {
  return {
    type: WORKFLOW_TYPES.autopayCharge,
    workflowId: autopayChargeWorkflowId(orgId, invoiceId, date),
    input: { orgId, invoiceId },
    facts: { orgId, entityId: invoiceId },
    urgency: 'saga',
  };
}

/** The e-mail of a notice. */
export function noticeTarget(orgId: string, { policyId, ...notice }: Notice & { policyId: string }): Target {
  return {
    type: WORKFLOW_TYPES.notice,
    workflowId: noticeWorkflowId(orgId, policyId, notice),
    input: { orgId, policyId, ...notice },
    facts: { orgId, entityId: policyId },
    urgency: 'saga',
  };
}

/**
 * A batch with a row; a daily one is named after its date. The caller waits until it is open; its slices have the
 * priority of batches.
 */
export function renewalBatchTarget(
  orgId: string,
  batchId: string,
  workflowId = renewalBatchWorkflowId(orgId, batchId),
): Target {
  return {
    type: WORKFLOW_TYPES.renewalBatch,
    workflowId,
    input: { orgId, batchId },
    facts: { orgId, entityId: batchId },
    queue: 'batch',
  };
}

/** The batch of a business date, which has no row yet. */
export function dailyRenewalTarget(orgId: string, date: BusinessDate): Target {
  return {
    ...renewalBatchTarget(orgId, orgId, renewalBatchWorkflowId(orgId, date)),
    input: { orgId },
    urgency: 'batch',
  };
}
