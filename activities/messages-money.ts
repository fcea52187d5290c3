/**
 * Inputs and outputs of the payment and refund steps. Plain JSON; outputs are references and figures, never documents.
 */
import type { PaymentMethod } from '../db/entities/payment.ts';
import type { BusinessDate } from '../domain/dates.ts';

export type { CardEvent } from '../providers/card-events.ts';

/** A payment entered by hand; the command's entity is the new payment. */
export interface PayPayload {
  invoiceId: string;
  amountCents: number;
  method: Exclude<PaymentMethod, 'card'>;
  reference: string;
  /** Null is today. */
  receivedDate: BusinessDate | null;
}

/** Money to refund; the command's entity is the new refund, a payment with a negative amount. */
export interface RefundPayload {
  invoiceId: string;
  /** Null refunds everything that was paid and not yet refunded. */
  amountCents: number | null;
  reason: string;
}

/** An attempt to collect by card; the command's entity is the invoice. */
export interface CollectPayload {
  /** Null is the balance. */
  amountCents: number | null;
  /** A retry follows a failed attempt and is a new one; otherwise an open attempt is returned again. */
  isRetry: boolean;
}

/** A recorded payment, as far as the following steps need it. */
export interface PaymentOutcome {
  paymentId: string;
  /** Null for money that matches no invoice. */
  invoiceId: string | null;
  invoiceNumber: string | null;
  policyId: string | null;
  policyNumber: string | null;
  hasProducer: boolean;
  /** True when this payment completes the invoice, which is then shared out. */
  completesInvoice: boolean;
  /** The policy whose workflow is notified that less is unpaid; missing in outcomes that predate the notification. */
  policyToTell?: string | null;
  /** What the invoice could not take. */
  unappliedCents: number;
}

/** A reserved or recorded refund, or a chargeback. */
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
  /** What the card processor must still refund. */
  cardAllocations: { paymentId: string; intentId: string; amountCents: number }[];
}

/** An opened attempt; `intentId` is null until the processor has created the intent. */
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

/** An attempt with its processor intent. The client secret is fetched when needed and never stored. */
export interface CollectOutcome {
  intentId: string;
  amountCents: number;
}

/** The result of an inbound event. */
export interface InboundOutcome {
  outcome: 'recorded' | 'unapplied' | 'unmatched' | 'told' | 'known' | 'ignored';
  orgId: string | null;
  paymentId: string | null;
}

/** A saga step, and its payment or refund. */
export interface MoneyStep {
  orgId: string;
  /** Id of the payment or refund. */
  entityId: string;
}

/** A step that failed permanently and waits for an operator. */
export interface StepFailure extends MoneyStep {
  /** Unique per failure, so that its alert is raised once. */
  alertId: string;
  step: string;
  message: string;
  workflowId: string;
}

/** An operator's decision on a waiting step. */
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
  /** The discrepancies; empty when the trust reconciles. */
  findings: string[];
}
