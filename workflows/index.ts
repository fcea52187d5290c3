/** Every workflow type that a worker knows. */
export { attemptCancellationWorkflow } from './attempt-cancellation.ts';
export { billingHoldWorkflow } from './billing-hold.ts';
export { collectionWorkflow } from './collection.ts';
export { disbursementWorkflow } from './disbursement.ts';
export { healingWorkflow } from './healing.ts';
export { inboundEventWorkflow } from './inbound-event.ts';
export { invoiceVoidWorkflow } from './invoice-void.ts';
export { noticeWorkflow } from './notice.ts';
export { paymentWorkflow } from './payment.ts';
export { policyWorkflow } from './policy.ts';
export { refundWorkflow } from './refund.ts';
export { renewalBatchWorkflow } from './renewal-batch.ts';
export { renewalSweepWorkflow } from './renewal-sweep.ts';
export { submissionWorkflow } from './submission.ts';
export { testClockWorkflow } from './test-clock.ts';
export { trustReconciliationWorkflow } from './trust-reconciliation.ts';
export { trustRunWorkflow } from './trust-run.ts';
