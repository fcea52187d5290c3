// The names of the value lists that appear in the document more than once: each is described once, and filters, bodies
// and responses refer to it. A list is recognized by its values, in order.

import { DA_CONTRACT_STATUSES } from '../../domain/authority/authority-contract.ts';
import { REFERRAL_STATUSES } from '../../domain/authority/referral.ts';
import { AUTOPAY_STATUSES, SUSPENSION_REASONS } from '../../domain/billing/autopay.ts';
import { STATEMENT_FORMATS } from '../../domain/billing/bank/statement.ts';
import { CARD_PAYOUT_STATUSES } from '../../domain/billing/card-payout.ts';
import { DISBURSEMENT_STATUSES } from '../../domain/billing/disbursement.ts';
import { INVOICE_STATUSES } from '../../domain/billing/invoice.ts';
import { ACCOUNTS } from '../../domain/billing/ledger/chart.ts';
import { JOURNAL_STATUSES } from '../../domain/billing/ledger/journal.ts';
import { PAYMENT_METHODS, PAYMENT_STATUSES } from '../../domain/billing/payment.ts';
import { REMITTANCE_KINDS, REMITTANCE_STATUSES } from '../../domain/billing/remittance.ts';
import { CLAIM_STATUSES } from '../../domain/claim/claim.ts';
import { PAYMENT_KINDS, RECOVERY_KINDS } from '../../domain/claim/claim-payment.ts';
import { CLAIM_CLOCKS } from '../../domain/claim/clocks.ts';
import { COVERAGE_FLAGS } from '../../domain/claim/coverage.ts';
import { HOLD_STEPS } from '../../domain/claim/payee-hold.ts';
import {
  CLOSE_REASONS,
  DEAL_ROOM_STATUSES,
  MESSAGE_VISIBILITIES,
  PARTICIPANT_ROLES,
} from '../../domain/dealroom/deal-room.ts';
import { DELIVERY_STATUSES } from '../../domain/delivery/delivery.ts';
import { SUBSCRIPTION_STATUSES } from '../../domain/delivery/subscription.ts';
import { APPOINTMENT_STATUSES } from '../../domain/distribution/appointment.ts';
import { LICENSE_STATUSES } from '../../domain/distribution/license.ts';
import { PRODUCER_STATUSES } from '../../domain/distribution/producer.ts';
import { DOCUMENT_TYPES } from '../../domain/document/classification.ts';
import { DOCUMENT_ENTITIES } from '../../domain/document/document.ts';
import { TEMPLATE_KINDS } from '../../domain/document/kinds.ts';
import { VALIDATION_RULES } from '../../domain/errors.ts';
import { EVENT_TYPES, SUBSCRIBABLE_EVENTS } from '../../domain/events.ts';
import { BORDEREAU_KINDS } from '../../domain/insight/bordereau.ts';
import { INSTALLMENT_PLANS } from '../../domain/lines.ts';
import { ROLES } from '../../domain/permission-table.ts';
import { POLICY_STANDINGS, POLICY_STATUSES } from '../../domain/policy/policy.ts';
import { TRANSACTION_TYPES } from '../../domain/policy/transaction.ts';
import { PUSH_PLATFORMS } from '../../domain/portal/push.ts';
import { ENVELOPE_STATUSES } from '../../domain/signing/envelope.ts';
import { SUBMISSION_STATUSES } from '../../domain/submission/submission.ts';

type Values = readonly (string | number)[];

const LISTS: Readonly<Record<string, Values>> = {
  AnalyticsGrouping: ['line', 'state', 'producer', 'month'],
  AnalyticsPeriod: ['month', 'quarter'],
  AppointmentStatus: APPOINTMENT_STATUSES,
  AutopayStatus: AUTOPAY_STATUSES,
  AutopaySuspensionReason: SUSPENSION_REASONS,
  BankMatchStatus: ['matched', 'unmatched'],
  BankStatementFormat: STATEMENT_FORMATS,
  BordereauKind: BORDEREAU_KINDS,
  CardPayoutStatus: CARD_PAYOUT_STATUSES,
  CertificateStatus: ['valid', 'superseded', 'cancelled', 'expired'],
  ClaimClock: CLAIM_CLOCKS,
  ClaimPaymentKind: PAYMENT_KINDS,
  ClaimRecoveryKind: RECOVERY_KINDS,
  ClaimStatus: CLAIM_STATUSES,
  CoverageFlag: COVERAGE_FLAGS,
  DaContractStatus: DA_CONTRACT_STATUSES,
  DealRoomCloseReason: CLOSE_REASONS,
  DealRoomMessageVisibility: MESSAGE_VISIBILITIES,
  DealRoomParticipantRole: PARTICIPANT_ROLES,
  DealRoomStatus: DEAL_ROOM_STATUSES,
  DisbursementStatus: DISBURSEMENT_STATUSES,
  DocumentEntityType: DOCUMENT_ENTITIES,
  DocumentTemplateKind: TEMPLATE_KINDS,
  DocumentType: DOCUMENT_TYPES,
  EnvelopeStatus: ENVELOPE_STATUSES,
  EventType: EVENT_TYPES,
  FilingStatus: ['open', 'overdue', 'filed', 'withdrawn'],
  InstallmentPlan: INSTALLMENT_PLANS,
  InvoiceStatus: INVOICE_STATUSES,
  JobStatus: ['running', 'completed', 'failed'],
  JournalStatus: JOURNAL_STATUSES,
  LedgerAccountNumber: ACCOUNTS.map(({ account }) => account),
  LedgerName: ['general', 'fiduciary'],
  LicenseStatus: LICENSE_STATUSES,
  PayeeHoldStep: HOLD_STEPS,
  PaymentKind: ['card', 'manual', 'refund'],
  PaymentMethod: PAYMENT_METHODS,
  PaymentStatus: [...PAYMENT_STATUSES, 'disputed', 'reversed'],
  PolicyStanding: POLICY_STANDINGS,
  PolicyStatus: POLICY_STATUSES,
  PolicyTransactionStatus: ['scheduled', 'issued', 'reversed'],
  PolicyTransactionType: TRANSACTION_TYPES,
  ProducerStatus: PRODUCER_STATUSES,
  PushPlatform: PUSH_PLATFORMS,
  QuoteStatus: ['quoted', 'referred', 'accepted', 'superseded', 'expired'],
  ReferralStatus: REFERRAL_STATUSES,
  RemittanceKind: REMITTANCE_KINDS,
  RemittanceStatus: REMITTANCE_STATUSES,
  Role: ROLES,
  SubmissionStatus: SUBMISSION_STATUSES,
  SubscribableEvent: SUBSCRIBABLE_EVENTS,
  UserOrigin: ['seeded', 'invited', 'domain', 'self_registered'],
  UserStatus: ['invited', 'active', 'deactivated'],
  ValidationRule: VALIDATION_RULES,
  WebhookDeliveryStatus: DELIVERY_STATUSES,
  WebhookStatus: SUBSCRIPTION_STATUSES,
};

const NAMES = new Map(Object.entries(LISTS).map(([name, values]) => [JSON.stringify(values), name]));

/** The name of a value list; null for one that appears only once. */
export function nameOfValues(values: unknown): string | null {
  return NAMES.get(JSON.stringify(values)) ?? null;
}
