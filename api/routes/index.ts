// Every operation of the platform, in the order of the reference.
import { inboundRoutes } from '../inbound/routes.ts';
import type { Route } from '../spine/route.ts';
import { apiKeyRoutes } from './access/api-keys.ts';
import { authDemoRoutes } from './access/auth-demo.ts';
import { authPolicyholderRoutes } from './access/auth-policyholder.ts';
import { authSessionRoutes } from './access/auth-session.ts';
import { permissionCheckRoutes } from './access/permission-checks.ts';
import { userRoutes } from './access/users.ts';
import { daContractRoutes } from './authority/da-contracts.ts';
import { delegationRoutes } from './authority/delegations.ts';
import { referralRoutes } from './authority/referrals.ts';
import { userAuthorityRoutes } from './authority/user-authority.ts';
import { policyAutopayRoutes } from './billing/autopay/policy-autopay.ts';
import { bankStatementRoutes } from './billing/bank/bank-statements.ts';
import { cardPayoutRoutes } from './billing/bank/card-payouts.ts';
import { billingHoldRoutes } from './billing/billing-holds.ts';
import { commissionScheduleRoutes } from './billing/commission-schedules.ts';
import { commissionRoutes } from './billing/commissions.ts';
import { invoiceActionRoutes } from './billing/invoice-actions.ts';
import { invoiceRoutes } from './billing/invoices.ts';
import { journalRoutes } from './billing/journals.ts';
import { ledgerRoutes } from './billing/ledger.ts';
import { paymentRoutes } from './billing/payments.ts';
import { ledgerPeriodRoutes } from './billing/periods/ledger-periods.ts';
import { payoutRoutes, remittanceToOthersRoutes, transferRoutes } from './billing/remittances/remittances.ts';
import { statementRoutes } from './billing/remittances/statements.ts';
import { disbursementRoutes } from './billing/returns/disbursements.ts';
import { refundRoutes } from './billing/returns/refunds.ts';
import { trustReconciliationRoutes } from './billing/trust-reconciliations.ts';
import { unappliedCashRoutes } from './billing/unapplied-cash.ts';
import { claimActionRoutes } from './claim/claim-actions.ts';
import { claimAttachmentRoutes } from './claim/claim-attachments.ts';
import { claimPaymentRoutes } from './claim/claim-payments.ts';
import { claimRecoveryRoutes } from './claim/claim-recoveries.ts';
import { claimRoutes } from './claim/claims.ts';
import { lossFundRoutes } from './claim/loss-funds.ts';
import { lossRoutes } from './claim/losses.ts';
import { payeeHoldRoutes } from './claim/payee-holds.ts';
import { settlementRoutes } from './claim/settlements.ts';
import { dealRoomRoutes } from './dealroom/deal-rooms.ts';
import { dealRoomMessageRoutes } from './dealroom/messages.ts';
import { dealRoomParticipantRoutes } from './dealroom/participants.ts';
import { dealRoomSocketRoutes } from './dealroom/socket.ts';
import { webhookDeliveryRoutes } from './delivery/webhook-deliveries.ts';
import { webhookRoutes } from './delivery/webhooks.ts';
import { appointmentRoutes } from './distribution/appointments.ts';
import { commissionTermRoutes } from './distribution/commission-terms.ts';
import { producerImportRoutes } from './distribution/producer-import.ts';
import { producerMemberRoutes } from './distribution/producer-members.ts';
import { producerRoutes } from './distribution/producers.ts';
import { certificateRoutes } from './document/certificates.ts';
import { documentRoutes } from './document/documents.ts';
import { downloadRoutes } from './document/downloads.ts';
import { ingestRoutes } from './document/ingest.ts';
import { renderingRoutes } from './document/rendering.ts';
import { templateRoutes } from './document/templates.ts';
import { analyticsRoutes } from './insight/analytics.ts';
import { bordereauRoutes } from './insight/bordereaux.ts';
import { calendarRoutes } from './insight/calendar.ts';
import { filingRoutes } from './insight/filings.ts';
import { auditRoutes } from './platform/audit.ts';
import { eventRoutes } from './platform/events.ts';
import { flagRoutes } from './platform/flags.ts';
import { metaRoutes } from './platform/meta.ts';
import { organizationRoutes } from './platform/organizations.ts';
import { payloadRoutes } from './platform/payloads.ts';
import { referenceRoutes } from './platform/reference.ts';
import { requestRoutes } from './platform/requests.ts';
import { testClockRoutes } from './platform/test-clock.ts';
import { paymentPlanRoutes } from './policy/payment-plans.ts';
import { policyRoutes } from './policy/policies.ts';
import { policyAuditRoutes } from './policy/policy-audits.ts';
import { policyChangeRoutes } from './policy/policy-changes.ts';
import { policyNoticeRoutes } from './policy/policy-notices.ts';
import { policyStatementRoutes } from './policy/statements.ts';
import { portalAutopayRoutes } from './portal/autopay.ts';
import { portalClaimRoutes } from './portal/claims.ts';
import { portalDocumentRoutes } from './portal/documents.ts';
import { portalHomeRoutes } from './portal/home.ts';
import { portalInvoiceRoutes } from './portal/invoices.ts';
import { issuedDocumentRoutes } from './portal/issued-documents.ts';
import { portalPolicyRoutes } from './portal/policies.ts';
import { portalProfileRoutes } from './portal/profile.ts';
import { pushPreferenceRoutes } from './portal/push-preferences.ts';
import { pushTokenRoutes } from './portal/push-tokens.ts';
import { portalStatementRoutes } from './portal/statements.ts';
import { renewalRoutes } from './renewal/renewals.ts';
import { envelopeRoutes } from './signing/envelopes.ts';
import { identityInquiryRoutes } from './signing/identity-inquiries.ts';
import { quoteRoutes } from './submission/quotes.ts';
import { rateTableRoutes } from './submission/rate-tables.ts';
import { sanctionsRoutes } from './submission/sanctions.ts';
import { submissionRoutes } from './submission/submissions.ts';

/** Operations on the rows of organizations; a caller can check their permissions beforehand. */
const IN_ORGANIZATIONS: readonly Route[] = [
  ...submissionRoutes,
  ...quoteRoutes,
  ...sanctionsRoutes,
  ...policyRoutes,
  ...policyChangeRoutes,
  ...policyAuditRoutes,
  ...paymentPlanRoutes,
  ...policyNoticeRoutes,
  ...renewalRoutes,
  ...claimRoutes,
  ...claimActionRoutes,
  ...settlementRoutes,
  ...claimPaymentRoutes,
  ...claimRecoveryRoutes,
  ...payeeHoldRoutes,
  ...claimAttachmentRoutes,
  ...certificateRoutes,
  ...renderingRoutes,
  ...documentRoutes,
  ...ingestRoutes,
  ...templateRoutes,
  ...envelopeRoutes,
  ...lossFundRoutes,
  ...lossRoutes,
  ...invoiceRoutes,
  ...invoiceActionRoutes,
  ...policyAutopayRoutes,
  ...policyStatementRoutes,
  ...paymentRoutes,
  ...unappliedCashRoutes,
  ...refundRoutes,
  ...disbursementRoutes,
  ...billingHoldRoutes,
  ...bankStatementRoutes,
  ...cardPayoutRoutes,
  ...ledgerRoutes,
  ...ledgerPeriodRoutes,
  ...journalRoutes,
  ...transferRoutes,
  ...remittanceToOthersRoutes,
  ...trustReconciliationRoutes,
  ...commissionRoutes,
  ...payoutRoutes,
  ...statementRoutes,
  ...producerRoutes,
  ...producerImportRoutes,
  ...identityInquiryRoutes,
  ...appointmentRoutes,
  ...producerMemberRoutes,
  ...commissionTermRoutes,
  ...referralRoutes,
  ...delegationRoutes,
  ...dealRoomRoutes,
  ...dealRoomParticipantRoutes,
  ...dealRoomMessageRoutes,
  ...dealRoomSocketRoutes,
  ...daContractRoutes,
  ...rateTableRoutes,
  ...commissionScheduleRoutes,
  ...analyticsRoutes,
  ...bordereauRoutes,
  ...filingRoutes,
  ...calendarRoutes,
  ...flagRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...webhookDeliveryRoutes,
  ...inboundRoutes,
  ...portalHomeRoutes,
  ...portalPolicyRoutes,
  ...portalStatementRoutes,
  ...portalInvoiceRoutes,
  ...portalAutopayRoutes,
  ...portalClaimRoutes,
  ...portalDocumentRoutes,
  ...issuedDocumentRoutes,
  ...portalProfileRoutes,
  ...pushPreferenceRoutes,
  ...pushTokenRoutes,
  ...auditRoutes,
  ...requestRoutes,
  ...testClockRoutes,
  ...apiKeyRoutes,
  ...userRoutes,
  ...userAuthorityRoutes,
];

export const ROUTES: readonly Route[] = [
  ...IN_ORGANIZATIONS,
  ...permissionCheckRoutes(IN_ORGANIZATIONS),
  ...organizationRoutes,
  ...payloadRoutes,
  ...authSessionRoutes,
  ...authDemoRoutes,
  ...authPolicyholderRoutes,
  ...downloadRoutes,
  ...metaRoutes,
  ...referenceRoutes,
];
