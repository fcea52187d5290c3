// Every entity, grouped by whether its rows belong to one organization.
import { ApiKey } from './access/api-key.ts';
import { Relation } from './access/relation.ts';
import { User } from './access/user.ts';
import { DaContract } from './authority/da-contract.ts';
import { DaUsage } from './authority/da-usage.ts';
import { Delegation } from './authority/delegation.ts';
import { Referral } from './authority/referral.ts';
import { Autopay } from './billing/autopay.ts';
import { AutopaySetup } from './billing/autopay-setup.ts';
import { BankLine } from './billing/bank-line.ts';
import { BankMatch } from './billing/bank-match.ts';
import { BankStatement } from './billing/bank-statement.ts';
import { BillingHold } from './billing/billing-hold.ts';
import { CardPayout } from './billing/card-payout.ts';
import { CardPayoutLine } from './billing/card-payout-line.ts';
import { CardStatementLine } from './billing/card-statement-line.ts';
import { CommissionRecord } from './billing/commission-record.ts';
import { CommissionSchedule } from './billing/commission-schedule.ts';
import { Disbursement } from './billing/disbursement.ts';
import { Invoice } from './billing/invoice.ts';
import { InvoiceAdjustment } from './billing/invoice-adjustment.ts';
import { Journal } from './billing/journal.ts';
import { LedgerEntry } from './billing/ledger-entry.ts';
import { LedgerLine } from './billing/ledger-line.ts';
import { LedgerPeriod } from './billing/ledger-period.ts';
import { Payment } from './billing/payment.ts';
import { PaymentIntent } from './billing/payment-intent.ts';
import { Remittance } from './billing/remittance.ts';
import { RemittanceLine } from './billing/remittance-line.ts';
import { StepSkip } from './billing/step-skip.ts';
import { TrustReconciliation } from './billing/trust-reconciliation.ts';
import { TrustShortfall } from './billing/trust-shortfall.ts';
import { Claim } from './claim/claim.ts';
import { ClaimAttachment } from './claim/claim-attachment.ts';
import { ClaimEntry } from './claim/claim-entry.ts';
import { ClaimNote } from './claim/claim-note.ts';
import { ClaimParticulars } from './claim/claim-particulars.ts';
import { ClaimPayee } from './claim/claim-payee.ts';
import { ClaimPayeeHold } from './claim/claim-payee-hold.ts';
import { ClaimPayment } from './claim/claim-payment.ts';
import { ClaimRecovery } from './claim/claim-recovery.ts';
import { ClaimReference } from './claim/claim-reference.ts';
import { LossFund } from './claim/loss-fund.ts';
import { LossFundDeposit } from './claim/loss-fund-deposit.ts';
import { DealRoom } from './dealroom/deal-room.ts';
import { DealRoomMessage } from './dealroom/deal-room-message.ts';
import { DealRoomParticipant } from './dealroom/deal-room-participant.ts';
import { DueNotice } from './delivery/due-notice.ts';
import { SendingDelivery, WaitingDelivery } from './delivery/open-deliveries.ts';
import { SentMail } from './delivery/sent-mail.ts';
import { Webhook } from './delivery/webhook.ts';
import { WebhookDelivery } from './delivery/webhook-delivery.ts';
import { Appointment } from './distribution/appointment.ts';
import { Producer } from './distribution/producer.ts';
import { ProducerTerm } from './distribution/producer-term.ts';
import { Certificate } from './document/certificate.ts';
import { Document } from './document/document.ts';
import { DocumentOrder } from './document/document-order.ts';
import { DocumentTemplate } from './document/document-template.ts';
import { InboundEvent } from './inbound/inbound-event.ts';
import { Bordereau } from './insight/bordereau.ts';
import { CalendarFeed } from './insight/calendar-feed.ts';
import { Filing } from './insight/filing.ts';
import { CommissionFact, ReceivableFact } from './insight/merged-fact.ts';
import { PortfolioChange, PortfolioFact, PortfolioMark, QuoteLag } from './insight/portfolio-fact.ts';
import { AuditEntry } from './platform/audit-entry.ts';
import { AuditLink } from './platform/audit-link.ts';
import { AuditSeal } from './platform/audit-seal.ts';
import { Command } from './platform/command.ts';
import { OrgCounter, PolicyNumberCounter } from './platform/counter.ts';
import { Event } from './platform/event.ts';
import { FlagOverride } from './platform/flag-override.ts';
import { IdempotencyRecord } from './platform/idempotency-record.ts';
import { KvEntry } from './platform/kv-entry.ts';
import { Organization } from './platform/organization.ts';
import { Request } from './platform/request.ts';
import { Insured } from './policy/insured.ts';
import { Policy } from './policy/policy.ts';
import { PolicyTransaction } from './policy/policy-transaction.ts';
import { TransactionBilling } from './policy/transaction-billing.ts';
import { PushNotice } from './portal/push-notice.ts';
import { PushToken } from './portal/push-token.ts';
import { RenewalBatch } from './renewal/renewal-batch.ts';
import { RenewalBatchItem } from './renewal/renewal-batch-item.ts';
import { SigningEnvelope } from './signing/signing-envelope.ts';
import { Quote } from './submission/quote.ts';
import { RateTable } from './submission/rate-table.ts';
import { SanctionsClearance } from './submission/sanctions-clearance.ts';
import { SanctionsEntry } from './submission/sanctions-entry.ts';
import { Submission } from './submission/submission.ts';
import { SurplusLinesRate } from './submission/surplus-lines-rate.ts';

/** Rows with an `orgId`: every query is limited to the organization in scope. */
export const TENANT_ENTITIES = [
  ApiKey,
  Appointment,
  AuditEntry,
  AuditLink,
  AuditSeal,
  Autopay,
  AutopaySetup,
  BankLine,
  BankMatch,
  BankStatement,
  BillingHold,
  Bordereau,
  CardPayout,
  CardPayoutLine,
  CardStatementLine,
  CalendarFeed,
  Certificate,
  Claim,
  ClaimAttachment,
  ClaimEntry,
  ClaimNote,
  ClaimParticulars,
  ClaimPayee,
  ClaimPayeeHold,
  ClaimPayment,
  ClaimRecovery,
  ClaimReference,
  Command,
  CommissionFact,
  CommissionRecord,
  CommissionSchedule,
  DaContract,
  DaUsage,
  DealRoom,
  DealRoomMessage,
  DealRoomParticipant,
  Delegation,
  Disbursement,
  Document,
  DocumentOrder,
  DocumentTemplate,
  DueNotice,
  SendingDelivery,
  WaitingDelivery,
  Event,
  Filing,
  FlagOverride,
  IdempotencyRecord,
  InboundEvent,
  Insured,
  Invoice,
  InvoiceAdjustment,
  Journal,
  LedgerEntry,
  LedgerLine,
  LedgerPeriod,
  LossFund,
  LossFundDeposit,
  OrgCounter,
  Payment,
  PaymentIntent,
  Policy,
  PolicyTransaction,
  PortfolioChange,
  PortfolioFact,
  PortfolioMark,
  Producer,
  PushNotice,
  PushToken,
  ProducerTerm,
  Quote,
  QuoteLag,
  RateTable,
  ReceivableFact,
  Referral,
  Relation,
  Remittance,
  RemittanceLine,
  RenewalBatch,
  RenewalBatchItem,
  Request,
  SanctionsClearance,
  SentMail,
  SigningEnvelope,
  StepSkip,
  Submission,
  TransactionBilling,
  TrustReconciliation,
  TrustShortfall,
  User,
  Webhook,
  WebhookDelivery,
];

/** Rows that are the same for the whole installation. */
export const SHARED_ENTITIES = [KvEntry, PolicyNumberCounter, SanctionsEntry, SurplusLinesRate];

/** All mapped entities; an organization is scoped by its own id. */
export const ENTITIES = [Organization, ...TENANT_ENTITIES, ...SHARED_ENTITIES];
