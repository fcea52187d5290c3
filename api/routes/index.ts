// Every operation of the platform. The order is that of the reference.
import { inboundRoutes } from '../inbound/routes.ts';
import type { Route } from '../route.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { auditRoutes } from './audit.ts';
import { authDemoRoutes } from './auth-demo.ts';
import { authPolicyholderRoutes } from './auth-policyholder.ts';
import { authSessionRoutes } from './auth-session.ts';
import { billingHoldRoutes } from './billing-holds.ts';
import { commissionScheduleRoutes } from './commission-schedules.ts';
import { commissionRoutes } from './commissions.ts';
import { daContractRoutes } from './da-contracts.ts';
import { eventRoutes } from './events.ts';
import { flagRoutes } from './flags.ts';
import { invoiceActionRoutes } from './invoice-actions.ts';
import { invoiceRoutes } from './invoices.ts';
import { ledgerRoutes } from './ledger.ts';
import { metaRoutes } from './meta.ts';
import { organizationRoutes } from './organizations.ts';
import { payloadRoutes } from './payloads.ts';
import { policyRoutes } from './policies.ts';
import { policyChangeRoutes } from './policy-changes.ts';
import { quoteRoutes } from './quotes.ts';
import { rateTableRoutes } from './rate-tables.ts';
import { referralRoutes } from './referrals.ts';
import { renewalRoutes } from './renewals.ts';
import { submissionRoutes } from './submissions.ts';
import { testClockRoutes } from './test-clock.ts';
import { userAuthorityRoutes } from './user-authority.ts';
import { userRoutes } from './users.ts';

export const ROUTES: readonly Route[] = [
  ...submissionRoutes,
  ...quoteRoutes,
  ...policyRoutes,
  ...policyChangeRoutes,
  ...renewalRoutes,
  ...invoiceRoutes,
  ...invoiceActionRoutes,
  ...billingHoldRoutes,
  ...ledgerRoutes,
  ...commissionRoutes,
  ...referralRoutes,
  ...daContractRoutes,
  ...rateTableRoutes,
  ...commissionScheduleRoutes,
  ...flagRoutes,
  ...eventRoutes,
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
  ...metaRoutes,
];
