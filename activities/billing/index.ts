// The activities of this slice, by name.
import type { Deps } from '../context.ts';
import { openAutopayCharge } from './autopay/charge-attempts.ts';
import { chargeAutopay } from './autopay/charges.ts';
import { dueAutopay, keepChargeNotices, organizationsWithCharges } from './autopay/due-charges.ts';
import { recordAutopaySetup } from './autopay/setups.ts';
import { liftBillingHold, notifyDelinquentPolicies, placeBillingHold } from './billing-holds.ts';
import { cancelAttempt, leaveAttemptOpen } from './cards/attempt-cancellations.ts';
import { handleCardEvent } from './cards/card-events.ts';
import { recordCardPayout } from './cards/card-payouts.ts';
import { createIntent, openAttempt } from './collections.ts';
import { takeDelinquencyStep } from './delinquency.ts';
import {
  cancelDisbursement,
  clearDisbursement,
  issueDisbursement,
  stopDisbursement,
} from './disbursements/disbursements.ts';
import { voidInvoice } from './invoices/invoice-voids.ts';
import { writeOffInvoice } from './invoices/write-offs.ts';
import { applyUnapplied } from './payments/applications.ts';
import { postEarnings, postFiduciarySplit, publishPaymentEvents, recordCommission } from './payments/payment-steps.ts';
import { readPayment, recordPayment } from './payments/payments.ts';
import { storeReceipt } from './payments/receipts.ts';
import { checkBooksPage } from './reconciliation/books.ts';
import { importCardStatement } from './reconciliation/card-statement.ts';
import { checkReceipts } from './reconciliation/receipt-documents.ts';
import { closeReconciliation, openReconciliation, organizationsAfter } from './reconciliation/runs.ts';
import { decideRefund } from './refunds/approvals.ts';
import { refundAtProcessor } from './refunds/refund-processor.ts';
import { postRefund, postRefundEarnings, reverseCommission } from './refunds/refund-steps.ts';
import { readRefund, reserveRefund, settleRefund } from './refunds/refunds.ts';
import { reversePayment } from './refunds/reversals.ts';
import { reserveReturn } from './refunds/unapplied-returns.ts';
import { decideRemittance, prepareRemittance } from './remittances/remittances.ts';
import { auditStepSkipped, raiseStepFailure } from './step-failures.ts';

export const billingActivities = (deps: Deps) => ({
  handleCardEvent: handleCardEvent(deps),
  recordCardPayout: recordCardPayout(deps),
  openAutopayCharge: openAutopayCharge(deps),
  chargeAutopay: chargeAutopay(deps),
  dueAutopay: dueAutopay(deps),
  keepChargeNotices: keepChargeNotices(deps),
  organizationsWithCharges: organizationsWithCharges(deps),
  recordAutopaySetup: recordAutopaySetup(deps),
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
  applyUnapplied: applyUnapplied(deps),
  reserveReturn: reserveReturn(deps),
  reserveRefund: reserveRefund(deps),
  decideRefund: decideRefund(deps),
  refundAtProcessor: refundAtProcessor(deps),
  settleRefund: settleRefund(deps),
  readRefund: readRefund(deps),
  reversePayment: reversePayment(deps),
  postRefund: postRefund(deps),
  postRefundEarnings: postRefundEarnings(deps),
  reverseCommission: reverseCommission(deps),
  issueDisbursement: issueDisbursement(deps),
  clearDisbursement: clearDisbursement(deps),
  stopDisbursement: stopDisbursement(deps),
  cancelDisbursement: cancelDisbursement(deps),
  prepareRemittance: prepareRemittance(deps),
  decideRemittance: decideRemittance(deps),
  voidInvoice: voidInvoice(deps),
  writeOffInvoice: writeOffInvoice(deps),
  openAttempt: openAttempt(deps),
  createIntent: createIntent(deps),
  cancelAttempt: cancelAttempt(deps),
  leaveAttemptOpen: leaveAttemptOpen(deps),
  raiseStepFailure: raiseStepFailure(deps),
  auditStepSkipped: auditStepSkipped(deps),
  organizationsAfter: organizationsAfter(deps),
  openReconciliation: openReconciliation(deps),
  importCardStatement: importCardStatement(deps),
  checkBooksPage: checkBooksPage(deps),
  checkReceipts: checkReceipts(deps),
  closeReconciliation: closeReconciliation(deps),
});
