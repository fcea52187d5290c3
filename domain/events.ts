// The events published to tenants: their names and the shape of `data`. Spec 6.1, Contract 3.6.
import type { AutopayStatus, SuspensionReason } from './billing/autopay.ts';
import type { BusinessDate } from './dates.ts';
import { ID_PREFIXES, type IdKind, isId } from './ids.ts';
import type { InstallmentPlan } from './lines.ts';
import type { StandingCancellation } from './policy/segments.ts';

/** The event names. `claim.opened` is only an alias for subscribing to `claim.filed`. Spec 6.1, Contract 3.6. */
export const EVENT_TYPES = [
  'policy.bound',
  'policy.endorsed',
  'policy.cancelled',
  'policy.renewed',
  'policy.reinstated',
  'policy.cancellation_scheduled',
  'policy.cancellation_withdrawn',
  'policy.lapsed',
  'policy.expired',
  'policy.non_renewed',
  'policy.audited',
  'policy.payment_plan_changed',
  'claim.filed',
  'claim.reserved',
  'claim.settled',
  'claim.closed',
  'payment.received',
  'payment.failed',
  'autopay.enabled',
  'autopay.disabled',
  'autopay.suspended',
  'invoice.paid',
  'refund.approval_requested',
  'refund.approved',
  'refund.rejected',
  'disbursement.created',
  'disbursement.issued',
  'disbursement.cleared',
  'disbursement.stopped',
  'disbursement.cancelled',
  'journal.posted',
  'referral.reminder',
  'referral.expired',
  'da.limit_approaching',
  'compliance.deadline_approaching',
  'compliance.deadline_missed',
  'financial.operation_failed',
  'webhook.test',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Subscription aliases. */
export const EVENT_ALIASES: Readonly<Record<string, EventType>> = { 'claim.opened': 'claim.filed' };

/** Every name a subscription or the filter of `GET /events` may use; `*` subscribes to all of them. */
export const SUBSCRIBABLE_EVENTS: readonly string[] = [...EVENT_TYPES, ...Object.keys(EVENT_ALIASES), '*'];

/** Kind of entity → the field of `data` that names it. */
const ENTITY_FIELDS: Readonly<Partial<Record<IdKind, string>>> = {
  policy: 'policyId',
  policyTransaction: 'transactionId',
  submission: 'submissionId',
  referral: 'referralId',
  insured: 'insuredId',
  claim: 'claimId',
  invoice: 'invoiceId',
  payment: 'paymentId',
  refund: 'refundId',
  disbursement: 'disbursementId',
  journal: 'journalId',
  ledgerEntry: 'entryId',
  daContract: 'contractId',
  filing: 'filingId',
  webhookSubscription: 'webhookId',
};

/** The kinds of entity that events are about. */
export const EVENT_ENTITIES = Object.keys(ENTITY_FIELDS) as [IdKind, ...IdKind[]];

/** Names the field of `data` that an entity's id is in; null for an id of another kind. */
export function eventFieldOf(entityId: string): string | null {
  const kind = EVENT_ENTITIES.find((each) => isId(entityId, ID_PREFIXES[each]));
  return (kind && ENTITY_FIELDS[kind]) ?? null;
}

/** `data` of `policy.bound`, and part of every other `policy.*`; money in dollars. Spec 6.1. */
export interface PolicyData {
  policyId: string;
  policyNumber: string;
  grossPremium: number;
  /** The day of the change; if there is none, the first day of the term. */
  effectiveDate: BusinessDate;
}

/** `data` of an event raised by a policy transaction. Contract 3.2, 3.6. */
export interface PolicyTransactionData extends PolicyData {
  transactionId: string;
  /** In dollars; for a scheduled cancellation, the change on its effective date. */
  premiumChange: number;
}

/** `data` of `policy.endorsed`. */
export interface PolicyEndorsedData extends PolicyTransactionData {
  /** The endorsement that this one voids. */
  reverses?: string;
}

/** `data` of `policy.cancelled`, `policy.cancellation_scheduled` and `policy.lapsed`. */
export interface PolicyCancellationData extends PolicyTransactionData {
  cancellation: StandingCancellation | null;
}

/** `data` of `policy.cancellation_withdrawn`; `transactionId` is the cancellation that will not take effect. */
export interface CancellationWithdrawnData extends PolicyData {
  transactionId: string;
  cancellation: StandingCancellation;
  /** The cancellation that stands instead, or null. */
  replacedBy: string | null;
}

/** `data` of `policy.expired`: the term has ended and there is no next one. */
export interface PolicyExpiredData extends PolicyData {
  expirationDate: BusinessDate;
}

/** `data` of `policy.non_renewed`: notice has been given. */
export interface PolicyNonRenewedData extends PolicyExpiredData {
  noticeDate: BusinessDate;
  reason: string;
}

/** `data` of `policy.payment_plan_changed`: amounts not yet due are rebilled. */
export interface PaymentPlanChangedData extends PolicyTransactionData {
  installmentPlan: InstallmentPlan;
  previousPlan: InstallmentPlan;
}

/** `data` of `autopay.enabled` and `autopay.disabled`. */
export interface AutopayData {
  insuredId: string;
  status: AutopayStatus;
}

/** `data` of `autopay.suspended`: the bill charged last. */
export interface AutopaySuspendedData extends AutopayData {
  reason: SuspensionReason;
  severity: 'warning';
  policyId: string;
  invoiceId: string;
  invoiceNumber: string;
}

/** `data` of `claim.filed` and `claim.closed`, and part of every other `claim.*`. Contract 3.6. */
export interface ClaimData {
  claimId: string;
  claimNumber: string;
  policyId: string;
  status: string;
}

/** `data` of `claim.reserved`: the outstanding reserves, in dollars. */
export interface ClaimReservesData extends ClaimData {
  reserves: { indemnity: number; expense: number; total: number };
}

/** `data` of `claim.settled`; `amount` in dollars, including the deductible. */
export interface ClaimSettledData extends ClaimData {
  amount: number;
}

/** `data` of `referral.reminder` and `referral.expired`: a submission or a policy waits for a decision. */
export interface ReferralCalendarData {
  referralId: string;
  submissionId: string | null;
  policyId: string | null;
  expiresOn: BusinessDate;
  /** Zero or negative once it has ended. */
  daysLeft: number;
}

/** `data` of `da.limit_approaching`; `limit` and `used` in dollars, `utilization` a fraction. Contract 3.6. */
export interface DaLimitApproachingData {
  contractId: string;
  utilization: number;
  limit: number;
  used: number;
}

/** `data` of `compliance.deadline_approaching` and `compliance.deadline_missed`. Contract 3.6. */
export interface ComplianceDeadlineData {
  /** Null for a status letter of a claim, and for any deadline of a claim in a sandbox. */
  filingId: string | null;
  /** Only for a deadline of a claim, whose kinds are `claim_ack`, `claim_decision` and `claim_status`. */
  claimId?: string;
  kind: string;
  /** Null for a filing with a carrier. */
  state: string | null;
  /** Only for a filing with a carrier, with its month. */
  carrier?: string;
  period?: string;
  dueDate: BusinessDate;
  /** Negative once the date has passed. */
  daysLeft: number;
}

/** `data` of `payment.received`, `payment.failed` and `invoice.paid`; `amount` in dollars. Contract 3.6. */
export interface InvoiceMoneyData {
  invoiceId: string;
  invoiceNumber: string;
  policyId: string;
  amount: number;
  reference: string;
  status: string;
  /** Only for a failed payment. Contract 3.4. */
  severity?: 'warning';
  /** Why the payment failed. */
  code?: string | null;
}

/** `data` of the events of a refund that needs approval; `amount` in positive dollars. */
export interface RefundApprovalData {
  refundId: string;
  invoiceId: string | null;
  policyId: string | null;
  amount: number;
  status: string;
}

/** `data` of the events of a disbursement; `amount` in dollars, `method` and `reference` null until it is issued. */
export interface DisbursementData {
  disbursementId: string;
  refundId: string;
  invoiceId: string | null;
  policyId: string | null;
  amount: number;
  status: string;
  method: string | null;
  reference: string | null;
  /** Only for `disbursement.cancelled`: the amount cancelled by this step; all steps sum to the total cancelled. */
  cancelledAmount?: number;
}

/** `data` of `financial.operation_failed`: a person must review it. Spec 6.4. */
export interface FinancialFailureData {
  severity: 'critical';
  requiresManualReview: true;
  /** What failed, e.g. `ledger.split`. */
  operation: string;
  message: string;
  paymentId?: string | null;
  invoiceId?: string | null;
  /** Set if it concerns a notice to the insured, or the card attempts on an invoice. */
  policyId?: string | null;
  reference?: string | null;
  /** In dollars, if it concerns an amount. */
  amount?: number;
  /** The workflow that waits for an operator, if any. */
  workflowId?: string | null;
}

/** `data` of `journal.posted`; `amount` is the sum of one side, in dollars. */
export interface JournalPostedData {
  journalId: string;
  entryId: string;
  ledger: 'fiduciary' | 'general';
  amount: number;
  policyId: string | null;
  invoiceId: string | null;
}

/** The shape of `data` for events with a fixed one; others carry any plain JSON. */
export interface EventData {
  'policy.bound': PolicyData;
  'policy.endorsed': PolicyEndorsedData;
  'policy.cancelled': PolicyCancellationData;
  'policy.reinstated': PolicyTransactionData;
  'policy.cancellation_scheduled': PolicyCancellationData;
  'policy.cancellation_withdrawn': CancellationWithdrawnData;
  'policy.lapsed': PolicyCancellationData;
  'policy.expired': PolicyExpiredData;
  'policy.non_renewed': PolicyNonRenewedData;
  'policy.payment_plan_changed': PaymentPlanChangedData;
  'claim.filed': ClaimData;
  'claim.reserved': ClaimReservesData;
  'claim.settled': ClaimSettledData;
  'claim.closed': ClaimData;
  'payment.received': InvoiceMoneyData;
  'payment.failed': InvoiceMoneyData;
  'autopay.enabled': AutopayData;
  'autopay.disabled': AutopayData;
  'autopay.suspended': AutopaySuspendedData;
  'invoice.paid': InvoiceMoneyData;
  'refund.approval_requested': RefundApprovalData;
  'refund.approved': RefundApprovalData;
  'refund.rejected': RefundApprovalData;
  'disbursement.created': DisbursementData;
  'disbursement.issued': DisbursementData;
  'disbursement.cleared': DisbursementData;
  'disbursement.stopped': DisbursementData;
  'disbursement.cancelled': DisbursementData;
  'journal.posted': JournalPostedData;
  'financial.operation_failed': FinancialFailureData;
  'referral.reminder': ReferralCalendarData;
  'referral.expired': ReferralCalendarData;
  'da.limit_approaching': DaLimitApproachingData;
  'compliance.deadline_approaching': ComplianceDeadlineData;
  'compliance.deadline_missed': ComplianceDeadlineData;
}

/** The type of `data` for an event name. */
export type DataOf<T extends EventType> = T extends keyof EventData ? EventData[T] : Record<string, unknown>;

/** Resolves a subscribable name to its event, or null for a name that is not an event (including `*`). */
export function eventTypeOf(name: string): EventType | null {
  const alias = Object.hasOwn(EVENT_ALIASES, name) ? EVENT_ALIASES[name] : undefined;
  return alias ?? EVENT_TYPES.find((type) => type === name) ?? null;
}
