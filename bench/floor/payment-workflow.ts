/**
 * The least a payment saga can be: an event's workflow with one local activity, and a child with as many steps as
 * ours.
 */
import { ParentClosePolicy, proxyActivities, proxyLocalActivities, startChild } from '@temporalio/workflow';
import type { FloorSteps } from './payment-steps.ts';

/** General ledger, fiduciary ledger, receipt, events: the steps for a policy without a producer. */
const STEPS = 4;

const { record } = proxyLocalActivities<FloorSteps>({ startToCloseTimeout: '10 seconds' });
const { step } = proxyActivities<FloorSteps>({ startToCloseTimeout: '10 seconds' });

export async function floorEventWorkflow({ paymentId }: { paymentId: string }): Promise<void> {
  await record(paymentId);
  await startChild(floorPaymentWorkflow, {
    workflowId: paymentId,
    args: [{ paymentId }],
    parentClosePolicy: ParentClosePolicy.ABANDON,
  });
}

export async function floorPaymentWorkflow({ paymentId }: { paymentId: string }): Promise<void> {
  for (let number = 1; number <= STEPS; number += 1) await step({ paymentId, number });
}
