// Payments, refunds and card collections: payloads, outcomes, updates and the inputs of their workflows.

import { defineUpdate } from '@temporalio/workflow';
import type { PaymentMethod } from '../domain/billing/payment.ts';
import type { ReversalReason } from '../domain/billing/reversal.ts';
import type { BusinessDate } from '../domain/dates.ts';
import type { Command } from './machinery/command.ts';

/** A payment entered by hand; the command's entity is the new payment. */
export interface PayPayload {
  invoiceId: string;
  amountCents: number;
  method: Exclude<PaymentMethod, 'card'>;
  reference: string;
  /** Null means today. */
  receivedDate: BusinessDate | null;
  /** Whether it may exceed what the invoice takes, leaving the rest unapplied. False by default. */
  mayExceed?: boolean;
}

/** Unapplied cash for an invoice; the command's entity is the new application, a payment on that invoice. */
export interface ApplyPayload {
  /** The receipt that holds it. */
  paymentId: string;
  invoiceId: string;
  /** Null takes as much as is available and the invoice takes. */
  amountCents: number | null;
}

/** Unapplied cash to return; the command's entity is the new refund. */
export interface ReturnPayload {
  /** The receipt that holds it. */
  paymentId: string;
  /** Null returns all that is left. */
  amountCents: number | null;
  reason: string;
}

/** Money to refund; the command's entity is the new refund, a payment with a negative amount. */
export interface RefundPayload {
  invoiceId: string;
  /** Null refunds everything paid and not yet refunded. */
  amountCents: number | null;
  reason: string;
}

/** A payment that was never good; the command's entity is the reversal, a payment with a negative amount. */
export interface ReversePayload {
  paymentId: string;
  reason: ReversalReason;
  /** The fee charged to the insured, on a separate invoice; null for none. */
  feeCents: number | null;
}

/** A decision on a refund that needs approval; the command's entity is the refund. */
export interface RefundDecisionPayload {
  decision: 'approve' | 'reject';
  /** For a rejection. */
  reason: string | null;
}

/** An attempt to collect by card; the command's entity is the invoice. */
export interface CollectPayload {
  /** Null means the balance. */
  amountCents: number | null;
  /** A retry is a new attempt after a failed one; otherwise an open attempt is returned again. */
  isRetry: boolean;
}

/** An invoice to void; the command's entity is the invoice. */
export interface VoidPayload {
  reason: string;
  /** Whether it is rebilled under a new number. */
  reissue: boolean;
  /** How much of it is rebilled; all of it by default. */
  reissuedCents?: number | null;
}

/** An invoice to write off; the command's entity is the invoice. */
export interface WriteOffPayload {
  reason: string;
}

/** A recorded payment: what the next steps need of it. */
export interface PaymentOutcome {
  paymentId: string;
  /** Null for money that matches no invoice. */
  invoiceId: string | null;
  invoiceNumber: string | null;
  policyId: string | null;
  policyNumber: string | null;
  hasProducer: boolean;
  /** True if this payment completes the invoice, which is then allocated. */
  completesInvoice: boolean;
  /** The policy whose workflow is notified that less is unpaid; null or missing if none. */
  policyToNotify?: string | null;
  /** The excess that the invoice could not take. */
  unappliedCents: number;
  /** Card attempts on the settled invoice that must be cancelled; missing if there are none. */
  obsoleteAttempts?: ObsoleteAttempt[];
}

/** A reserved or recorded refund, a chargeback or a reversal. */
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
  /** The policy whose workflow is notified that more is unpaid; only for a reversal. */
  policyToNotify?: string | null;
  /** Policies whose invoices had taken money from the reversed payment; none by default. */
  otherPoliciesToNotify?: string[];
  /** Refunds that are no longer awaiting approval; none by default. */
  endedRefunds?: string[];
  /** True while it awaits another person's approval; nothing has been refunded yet. */
  awaitsApproval: boolean;
  /** True for one reserved when another refund ended; missing if a caller settles it, or it is settled. */
  isReserved?: boolean;
  /** True for one owed by a policy change, whatever happens at the card; missing otherwise. */
  isReturnPremium?: boolean;
  /** What the card processor must still refund. */
  cardAllocations: { paymentId: string; intentId: string; amountCents: number }[];
}

/** An opened attempt; `intentId` is null until the processor creates the intent. */
export interface CollectionAttempt {
  orgId: string;
  invoiceId: string;
  policyId: string;
  attemptId: string;
  /** The number of the attempt on the invoice, from 1. */
  attempt: number;
  amountCents: number;
  intentId: string | null;
  /** Earlier attempts that must be cancelled; missing if there are none. */
  supersedes?: ObsoleteAttempt[];
}

/** An attempt with its processor intent. The client secret is fetched when needed and never stored. */
export interface CollectOutcome {
  intentId: string;
  amountCents: number;
  /** The attempt itself if the invoice was settled in the meantime; otherwise missing. */
  obsoleteAttempts?: ObsoleteAttempt[];
}

export interface VoidOutcome {
  invoiceId: string;
  /** The policy whose workflow is notified that less is unpaid. */
  policyId: string;
  /** Card attempts that must be cancelled; missing where there are none. */
  obsoleteAttempts?: ObsoleteAttempt[];
}

/** A card attempt that must be cancelled at the processor. */
export interface ObsoleteAttempt {
  invoiceId: string;
  attemptId: string;
}

export interface AttemptCancellationInput extends ObsoleteAttempt {
  orgId: string;
}

export interface VoidWorkflowInput {
  orgId: string;
}

export interface PaymentWorkflowInput {
  orgId: string;
  paymentId: string;
  /** Set for a card payment, which is already recorded when its workflow starts; the update records a manual one. */
  recorded?: PaymentOutcome;
}

export interface RefundWorkflowInput {
  orgId: string;
  refundId: string;
  /** Set for money that the processor has already refunded; the update reserves a refund requested by a user. */
  recorded?: RefundOutcome;
}

export const recordPaymentUpdate = defineUpdate<PaymentOutcome, [Command<PayPayload>]>('record');

export const applyUpdate = defineUpdate<PaymentOutcome, [Command<ApplyPayload>]>('apply');

export const returnUpdate = defineUpdate<RefundOutcome, [Command<ReturnPayload>]>('return');

export const refundUpdate = defineUpdate<RefundOutcome, [Command<RefundPayload>]>('refund');

export const reverseUpdate = defineUpdate<RefundOutcome, [Command<ReversePayload>]>('reverse');

export const decideRefundUpdate = defineUpdate<RefundOutcome, [Command<RefundDecisionPayload>]>('decide');

export const voidUpdate = defineUpdate<VoidOutcome, [Command<VoidPayload>]>('void');

export const writeOffUpdate = defineUpdate<VoidOutcome, [Command<WriteOffPayload>]>('writeOff');

export const collectUpdate = defineUpdate<CollectOutcome, [Command<CollectPayload>]>('collect');
