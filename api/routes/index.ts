// Every operation of the platform. The order is that of the reference.
import { inboundRoutes } from '../inbound/routes.ts';
import type { Route } from '../spine/route.ts';
import { apiKeyRoutes } from './access/api-keys.ts';
import { authDemoRoutes } from './access/auth-demo.ts';
import { authPolicyholderRoutes } from './access/auth-policyholder.ts';
import { authSessionRoutes } from './access/auth-session.ts';
import { userRoutes } from './access/users.ts';
import { daContractRoutes } from './authority/da-contracts.ts';
import { referralRoutes } from './authority/referrals.ts';
import { userAuthorityRoutes } from './authority/user-authority.ts';
import { billingHoldRoutes } from './billing/billing-holds.ts';
import { commissionScheduleRoutes } from './billing/commission-schedules.ts';
import { commissionRoutes } from './billing/commissions.ts';
import { invoiceActionRoutes } from './billing/invoice-actions.ts';
import { invoiceRoutes } from './billing/invoices.ts';
import { journalRoutes } from './billing/journals.ts';
import { ledgerRoutes } from './billing/ledger.ts';
import { paymentRoutes } from './billing/payments.ts';
import { disbursementRoutes } from './billing/returns/disbursements.ts';
import { refundRoutes } from './billing/returns/refunds.ts';
import { trustReconciliationRoutes } from './billing/trust-reconciliations.ts';
import { unappliedCashRoutes } from './billing/unapplied-cash.ts';
import { claimActionRoutes } from './claim/claim-actions.ts';
import { claimAttachmentRoutes } from './claim/claim-attachments.ts';
import { claimPaymentRoutes } from './claim/claim-payments.ts';
import { claimRoutes } from './claim/claims.ts';
import { lossFundRoutes } from './claim/loss-funds.ts';
import { lossRoutes } from './claim/losses.ts';
import { settlementRoutes } from './claim/settlements.ts';
import { webhookDeliveryRoutes } from './delivery/webhook-deliveries.ts';
import { webhookRoutes } from './delivery/webhooks.ts';
import { downloadRoutes } from './document/downloads.ts';
import { auditRoutes } from './platform/audit.ts';
import { eventRoutes } from './platform/events.ts';
import { flagRoutes } from './platform/flags.ts';
import { metaRoutes } from './platform/meta.ts';
import { organizationRoutes } from './platform/organizations.ts';
import { payloadRoutes } from './platform/payloads.ts';
import { testClockRoutes } from './platform/test-clock.ts';
import { policyRoutes } from './policy/policies.ts';
import { policyAuditRoutes } from './policy/policy-audits.ts';
import { policyChangeRoutes } from './policy/policy-changes.ts';
import { renewalRoutes } from './renewal/renewals.ts';
import { quoteRoutes } from './submission/quotes.ts';
import { rateTableRoutes } from './submission/rate-tables.ts';
import { submissionRoutes } from './submission/submissions.ts';

export const ROUTES: readonly Route[] = [
  ...submissionRoutes,
  ...quoteRoutes,
  ...policyRoutes,
  ...policyChangeRoutes,
  ...policyAuditRoutes,
  ...renewalRoutes,
  ...claimRoutes,
  ...claimActionRoutes,
  ...settlementRoutes,
  ...claimPaymentRoutes,
  ...claimAttachmentRoutes,
  ...lossFundRoutes,
  ...lossRoutes,
  ...invoiceRoutes,
  ...invoiceActionRoutes,
  ...paymentRoutes,
  ...unappliedCashRoutes,
  ...refundRoutes,
  ...disbursementRoutes,
  ...billingHoldRoutes,
  ...ledgerRoutes,
  ...journalRoutes,
  ...trustReconciliationRoutes,
  ...commissionRoutes,
  ...referralRoutes,
  ...daContractRoutes,
  ...rateTableRoutes,
  ...commissionScheduleRoutes,
  ...flagRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...webhookDeliveryRoutes,
  ...inboundRoutes,
  ...auditRoutes,
  ...testClockRoutes,
  ...apiKeyRoutes,
  ...userRoutes,
  ...userAuthorityRoutes,
  ...organizationRoutes,
  ...payloadRoutes,
  ...authSessionRoutes,
  ...authDemoRoutes,
  ...authPolicyholderRoutes,
  ...downloadRoutes,
  ...metaRoutes,
];
