// The saga of money recorded by another workflow: a card payment, or unapplied money applied to an invoice.
import type { PaymentOutcome, PaymentWorkflowInput } from '../../contracts/billing.ts';
import { paymentWorkflowId, startOptions } from '../../contracts/machinery/start.ts';
import { startOutliving } from '../machinery/children.ts';
import { paymentWorkflow } from './payment.ts';

/** Starts the saga of money applied to an invoice; it outlives the workflow that recorded the money. */
export async function startFollowingPayment(orgId: string, payment: PaymentOutcome): Promise<void> {
  const { paymentId, policyNumber } = payment;
  const input: PaymentWorkflowInput = { orgId, paymentId, recorded: payment };
  const facts = { orgId, entityId: paymentId, policyNumber: policyNumber ?? undefined };
  await startOutliving(paymentWorkflow, input, startOptions(paymentWorkflowId(orgId, paymentId), 'saga', facts));
}
