// The activities of this slice, by name.
import type { Deps } from '../context.ts';
import { liftBillingHold, notifyDelinquentPolicies, placeBillingHold } from './billing-holds.ts';
import { handleCardEvent } from './card-events.ts';
import { createIntent, openAttempt } from './collections.ts';
import { takeDelinquencyStep } from './delinquency.ts';
import { voidInvoice } from './invoice-voids.ts';
import { postEarnings, postFiduciarySplit, publishPaymentEvents, recordCommission } from './payment-steps.ts';
import { readPayment, recordPayment } from './payments.ts';
import { storeReceipt } from './receipts.ts';
import { refundAtProcessor } from './refund-processor.ts';
import { postRefund, postRefundEarnings, reverseCommission } from './refund-steps.ts';
import { readRefund, reserveRefund, settleRefund } from './refunds.ts';
import { auditStepSkipped, raiseStepFailure } from './step-failures.ts';
import { organizationsAfter, reconcileTrust } from './trust.ts';

export const billingActivities = (deps: Deps) => ({
  handleCardEvent: handleCardEvent(deps),
  takeDelinquencyStep: takeDelinquencyStep(deps),
  placeBillingHold: placeBillingHold(deps),
  liftBillingHold: liftBillingHold(deps),
  notifyDelinquentPolicies: notifyDelinquentPolicies(deps),
  recordPayment: recordPayment(deps),
  readPayment: readPayment(deps),
  recordCommission: recordCommission(deps),
  postEarnings: postEarnings(deps),
  postFiduciarySplit: postFiduciarySplit(deps),
  storeReceipt: storeReceipt(deps),
  publishPaymentEvents: publishPaymentEvents(deps),
  reserveRefund: reserveRefund(deps),
  refundAtProcessor: refundAtProcessor(deps),
  settleRefund: settleRefund(deps),
  readRefund: readRefund(deps),
  postRefund: postRefund(deps),
  postRefundEarnings: postRefundEarnings(deps),
  reverseCommission: reverseCommission(deps),
  voidInvoice: voidInvoice(deps),
  openAttempt: openAttempt(deps),
  createIntent: createIntent(deps),
  raiseStepFailure: raiseStepFailure(deps),
  auditStepSkipped: auditStepSkipped(deps),
  organizationsAfter: organizationsAfter(deps),
  reconcileTrust: reconcileTrust(deps),
});
