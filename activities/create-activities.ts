/** Every activity by name, as a worker registers them and workflows see them by type. */

import { liftBillingHold, placeBillingHold, tellDelinquentPolicies } from './billing-holds.ts';
import { bindPolicy } from './binds.ts';
import { takeCancellationEffect } from './cancellation-day.ts';
import { handleCardEvent } from './card-events.ts';
import { createIntent, openAttempt } from './collections.ts';
import type { Deps } from './context.ts';
import { takeDelinquencyStep } from './delinquency.ts';
import { endSaga, healOrganization } from './healing.ts';
import { sendNotice } from './notices.ts';
import { postEarnings, postFiduciarySplit, publishPaymentEvents, recordCommission } from './payment-steps.ts';
import { readPayment, recordPayment } from './payments.ts';
import { activatePolicy, expirePolicy, readPolicy } from './policies.ts';
import { cancelPolicy, endorsePolicy, reinstatePolicy } from './policy-changes.ts';
import { quoteSubmission } from './quotes.ts';
import { storeReceipt } from './receipts.ts';
import { refundAtProcessor } from './refund-processor.ts';
import { postRefund, postRefundEarnings, reverseCommission } from './refund-steps.ts';
import { readRefund, reserveRefund, settleRefund } from './refunds.ts';
import {
  closeRenewalBatch,
  openDailyRenewals,
  openRenewalBatch,
  pendingRenewals,
  readRenewalBatch,
} from './renewal-batches.ts';
import { giveUpRenewals, renewSlice } from './renewal-slices.ts';
import { renewingOrganizations } from './renewal-sweep.ts';
import { nonRenewPolicy, renewPolicy } from './renewals.ts';
import { auditStepSkipped, raiseStepFailure } from './step-failures.ts';
import {
  correctSubmission,
  createSubmission,
  declineSubmission,
  expireSubmission,
  readSubmission,
  withdrawSubmission,
} from './submissions.ts';
import { acceptClockAdvance, stepTestClock, wakeDueEntities } from './test-clock.ts';

import { organizationsAfter, reconcileTrust } from './trust.ts';

export type Activities = ReturnType<typeof createActivities>;

export function createActivities(deps: Deps) {
  return {
    createSubmission: createSubmission(deps),
    correctSubmission: correctSubmission(deps),
    quoteSubmission: quoteSubmission(deps),
    bindPolicy: bindPolicy(deps),
    handleCardEvent: handleCardEvent(deps),
    withdrawSubmission: withdrawSubmission(deps),
    declineSubmission: declineSubmission(deps),
    expireSubmission: expireSubmission(deps),
    readSubmission: readSubmission(deps),
    activatePolicy: activatePolicy(deps),
    expirePolicy: expirePolicy(deps),
    readPolicy: readPolicy(deps),
    endorsePolicy: endorsePolicy(deps),
    cancelPolicy: cancelPolicy(deps),
    takeCancellationEffect: takeCancellationEffect(deps),
    takeDelinquencyStep: takeDelinquencyStep(deps),
    sendNotice: sendNotice(deps),
    placeBillingHold: placeBillingHold(deps),
    liftBillingHold: liftBillingHold(deps),
    tellDelinquentPolicies: tellDelinquentPolicies(deps),
    reinstatePolicy: reinstatePolicy(deps),
    renewPolicy: renewPolicy(deps),
    nonRenewPolicy: nonRenewPolicy(deps),
    openRenewalBatch: openRenewalBatch(deps),
    openDailyRenewals: openDailyRenewals(deps),
    readRenewalBatch: readRenewalBatch(deps),
    pendingRenewals: pendingRenewals(deps),
    renewSlice: renewSlice(deps),
    giveUpRenewals: giveUpRenewals(deps),
    closeRenewalBatch: closeRenewalBatch(deps),
    renewingOrganizations: renewingOrganizations(deps),
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
    openAttempt: openAttempt(deps),
    createIntent: createIntent(deps),
    raiseStepFailure: raiseStepFailure(deps),
    auditStepSkipped: auditStepSkipped(deps),
    endSaga: endSaga(deps),
    healOrganization: healOrganization(deps),
    organizationsAfter: organizationsAfter(deps),
    reconcileTrust: reconcileTrust(deps),
    acceptClockAdvance: acceptClockAdvance(deps),
    stepTestClock: stepTestClock(deps),
    wakeDueEntities: wakeDueEntities(deps),
  };
}
