/**
 * One verified event of a provider: what it tells is recorded in one transaction, and the saga that goes on from it is started before
 * this workflow ends. Its end is what the provider is answered 200 for; a failure is answered 500, and what he sends again starts anew.
 */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ParentClosePolicy,
  proxyLocalActivities,
  setCurrentDetails,
  startChild,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import {
  type EntityFacts,
  type InboundEventInput,
  type InboundEventResult,
  type PaymentWorkflowInput,
  paymentWorkflowId,
  type RefundWorkflowInput,
  refundWorkflowId,
  SAGA_STATUS,
  SEARCH_ATTRIBUTES,
  startOptions,
  WORKFLOW_TYPES,
} from './contracts.ts';
import { ONE_TRANSACTION } from './options.ts';

const { handleCardEvent } = proxyLocalActivities<Activities>(ONE_TRANSACTION);

export async function inboundEventWorkflow({ event }: InboundEventInput): Promise<InboundEventResult> {
  setCurrentDetails(`${event.type}: being recorded`);
  const { outcome, orgId, paymentId, payment, refund } = await handleCardEvent(event);
  setCurrentDetails(`${event.type}: **${outcome}** ${paymentId ?? ''}`);
  if (orgId !== null && orgId !== event.metadata.orgId) {
    upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.orgId, value: orgId }]);
  }
  if (orgId !== null && payment !== null) {
    const input: PaymentWorkflowInput = { orgId, paymentId: payment.paymentId, recorded: payment };
    const facts = {
      orgId,
      entityId: payment.paymentId,
      status: SAGA_STATUS.running,
      policyNumber: payment.policyNumber ?? undefined,
    };
    await startSaga(WORKFLOW_TYPES.payment, paymentWorkflowId(orgId, payment.paymentId), facts, input);
  }
  if (orgId !== null && refund !== null) {
    const input: RefundWorkflowInput = { orgId, refundId: refund.refundId, recorded: refund };
    const facts = {
      orgId,
      entityId: refund.refundId,
      status: SAGA_STATUS.running,
      policyNumber: refund.policyNumber ?? undefined,
    };
    await startSaga(WORKFLOW_TYPES.refund, refundWorkflowId(orgId, refund.refundId), facts, input);
  }
  return { outcome, orgId, paymentId };
}

/** Starts the saga and waits until the server has it; it outlives this workflow. One that was started before goes on as it is. */
async function startSaga(type: string, workflowId: string, facts: EntityFacts, input: object): Promise<void> {
  try {
    await startChild(type, {
      ...startOptions(workflowId, facts),
      args: [input],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
