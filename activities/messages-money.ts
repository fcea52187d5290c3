/** What the steps of payments and refunds are asked and answer. Plain JSON; answers are references and figures, never documents. */
import type { PaymentMethod } from '../db/entities/payment.ts';
import type { BusinessDate } from '../domain/dates.ts';

export type { CardEvent } from '../providers/card-events.ts';

/** A payment that somebody records by hand; the command's entity is the new payment. */
export interface PayPayload {
  invoiceId: string;
  amountCents: number;
  method: Exclude<PaymentMethod, 'card'>;
  reference: string;
  /** Null is today. */
  receivedDate: BusinessDate | null;
}

/** Money to be given back; the command's entity is the new refund, a payment with a negative amount. */
export interface RefundPayload {
  invoiceId: string;
  /** Null is all that was paid and not refunded yet. */
  amountCents: number | null;
  reason: string;
}

/** An attempt to collect by card; the command's entity is the invoice. */
export interface CollectPayload {
  /** Null is the balance. */
  amountCents: number | null;
  /** A retry follows a failed attempt and is a new one; otherwise an attempt that is still open is given again. */
  isRetry: boolean;
}

/** A payment that has been recorded, as far as the steps that follow need to know it. */
export interface PaymentOutcome {
  paymentId: string;
  /** Null for money that matches no invoice. */
  invoiceId: string | null;
  invoiceNumber: string | null;
  policyId: string | null;
  policyNumber: string | null;
  hasProducer: boolean;
  /** Whether the invoice is fully paid with it, which is when its money is shared out. */
  completesInvoice: boolean;
  /** Whose workflow is told that less is unpaid; missing in an outcome from before it was told. */
  policyToTell?: string | null;
  /** What the invoice could not take. */
  unappliedCents: number;
}

/** Money that goes back, or has gone: a refund that has been reserved or recorded, or a chargeback. */
export interface RefundOutcome {
  refundId: string;
  /** Null for money that matches no invoice. */
  invoiceId: string | null;
  invoiceNumber: string | null;
  policyId: string | null;
  policyNumber: string | null;
  hasProducer: boolean;
  /** Positive. */
  amountCents: number;
  requiresManualReview: boolean;
  /** What the card processor is still to be asked for. */
  cardAllocations: { paymentId: string; intentId: string; amountCents: number }[];
}

/** An attempt that has been opened; `intentId` is null until the processor knows of it. */
export interface CollectionAttempt {
  orgId: string;
  invoiceId: string;
  policyId: string;
  attemptId: string;
  /** Counts the attempts on the invoice from 1. */
  attempt: number;
  amountCents: number;
  intentId: string | null;
}

/** An attempt that the processor knows. The client secret is asked for where it is needed and kept nowhere. */
export interface CollectOutcome {
  intentId: string;
  amountCents: number;
}

/** What an inbound event led to. */
export interface InboundOutcome {
  outcome: 'recorded' | 'unapplied' | 'unmatched' | 'told' | 'known' | 'ignored';
  orgId: string | null;
  paymentId: string | null;
}

/** The step of a saga, and for which payment or refund. */
export interface MoneyStep {
  orgId: string;
  /** Id of the payment or refund. */
  entityId: string;
}

/** A step that failed for good and waits for an operator. */
export interface StepFailure extends MoneyStep {
  /** Unique for the failure, so that it is told once. */
  alertId: string;
  step: string;
  message: string;
  workflowId: string;
}

/** What an operator decides about a step that waits. */
export interface StepDecision {
  step: string;
  /** Who decides, for the audit. */
  operator: string;
  reason?: string;
}

/** A step that an operator goes on without. */
export interface SkippedStep extends MoneyStep, StepDecision {
  entityType: 'submission' | 'policy' | 'payment';
}

/** One look at the trust of an organization; the last one raises the alarm. */
export interface TrustCheck {
  orgId: string;
  isLastLook: boolean;
}

export interface TrustResult {
  /** What does not agree; nothing when the trust is clean. */
  findings: string[];
}
