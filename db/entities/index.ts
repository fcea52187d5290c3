// Every entity, grouped by whether its rows belong to one organization.
import { ApiKey } from './api-key.ts';
import { Appointment } from './appointment.ts';
import { AuditEntry } from './audit-entry.ts';
import { AuditLink } from './audit-link.ts';
import { AuditSeal } from './audit-seal.ts';
import { BillingHold } from './billing-hold.ts';
import { Command } from './command.ts';
import { CommissionRecord } from './commission-record.ts';
import { CommissionSchedule } from './commission-schedule.ts';
import { OrgCounter, PolicyNumberCounter } from './counter.ts';
import { DaContract } from './da-contract.ts';
import { DaUsage } from './da-usage.ts';
import { Event } from './event.ts';
import { Filing } from './filing.ts';
import { FlagOverride } from './flag-override.ts';
import { IdempotencyRecord } from './idempotency-record.ts';
import { InboundEvent } from './inbound-event.ts';
import { Insured } from './insured.ts';
import { Invoice } from './invoice.ts';
import { KvEntry } from './kv-entry.ts';
import { LedgerEntry } from './ledger-entry.ts';
import { LedgerLine } from './ledger-line.ts';
import { Organization } from './organization.ts';
import { Payment } from './payment.ts';
import { PaymentIntent } from './payment-intent.ts';
import { Policy } from './policy.ts';
import { PolicyTransaction } from './policy-transaction.ts';
import { Producer } from './producer.ts';
import { Quote } from './quote.ts';
import { RateTable } from './rate-table.ts';
import { Referral } from './referral.ts';
import { Relation } from './relation.ts';
import { RenewalBatch } from './renewal-batch.ts';
import { RenewalBatchItem } from './renewal-batch-item.ts';
import { SanctionsEntry } from './sanctions-entry.ts';
import { Submission } from './submission.ts';
import { SurplusLinesRate } from './surplus-lines-rate.ts';
import { TrustReconciliation } from './trust-reconciliation.ts';
import { User } from './user.ts';

/** Rows with an `orgId`: every query is confined to the organization of the scope. */
export const TENANT_ENTITIES = [
  ApiKey,
  Appointment,
  AuditEntry,
  AuditLink,
  AuditSeal,
  BillingHold,
  Command,
  CommissionRecord,
  CommissionSchedule,
  DaContract,
  DaUsage,
  Event,
  Filing,
  FlagOverride,
  IdempotencyRecord,
  InboundEvent,
  Insured,
  Invoice,
  LedgerEntry,
  LedgerLine,
  OrgCounter,
  Payment,
  PaymentIntent,
  Policy,
  PolicyTransaction,
  Producer,
  Quote,
  RateTable,
  Referral,
  Relation,
  RenewalBatch,
  RenewalBatchItem,
  Submission,
  TrustReconciliation,
  User,
];

/** Rows that are the same for the whole installation. */
export const SHARED_ENTITIES = [KvEntry, PolicyNumberCounter, SanctionsEntry, SurplusLinesRate];

/** Everything that is mapped; an organization is confined by its own id. */
export const ENTITIES = [Organization, ...TENANT_ENTITIES, ...SHARED_ENTITIES];
