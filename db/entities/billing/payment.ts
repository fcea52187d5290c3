// Money received for an invoice, or returned: receipts are positive; refunds, chargebacks and
// reversals are negative.
import { defineEntity, p } from '@mikro-orm/core';
import type { Dispute } from '../../../domain/billing/dispute.ts';
import type { PaymentKind, PaymentMethod, PaymentStatus } from '../../../domain/billing/payment.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import {
  businessDate,
  cents,
  code,
  createdAtColumn,
  idColumn,
  instant,
  json,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

/**
 * The receipt that a refund gives back, and how much of it; `processorRefundId` is null for money not taken by card.
 */
export interface RefundAllocation {
  paymentId: string;
  amountCents: number;
  /** The part of it that no invoice had taken; missing where the return itself says. */
  unappliedCents?: number;
  method: PaymentMethod;
  processorRefundId: string | null;
  /** When a card refund failed after it had been accepted, in Unix seconds. The money is owed by check since. */
  failedAt?: number;
}

/** Money that the invoice of an application had to give up, with the instant in ISO 8601. */
interface TakeBack {
  at: string;
  on: BusinessDate;
  amountCents: number;
}

/** Who requested a refund that needs approval by somebody else, and the decision. Ids of users, keys or the machine. */
export interface RefundApproval {
  requestedBy: string;
  /** The maker of the API key that requested it. */
  onBehalfOf: string | null;
  /** Everybody else behind it: who announced the cancellation that it follows from, and the makers of their keys. */
  others?: string[];
  decision: 'approved' | 'rejected' | null;
  decidedBy: string | null;
  /** ISO 8601. */
  decidedAt: string | null;
  /** The business day of the decision. Decisions that were kept before days were noted have none. */
  decidedOn?: BusinessDate;
  /** Of a rejection. */
  reason: string | null;
}

/** The composition of a refund for a policy change; the parts, positive, sum to the requested amount. */
export interface RefundComposition {
  premiumCents: number;
  taxCents: number;
  stampingCents: number;
  feeCents: number;
}

const PaymentSchema = defineEntity({
  name: 'Payment',
  tableName: 'payments',
  properties: {
    id: idColumn('payment'),
    orgId: orgIdColumn(),
    /** Null for money that matches no invoice. */
    invoiceId: p.text().strictNullable(),
    policyId: p.text().strictNullable(),
    kind: code<PaymentKind>(),
    amountCents: cents(),
    /** The part applied to the invoice. The rest of a receipt is unapplied. */
    appliedCents: cents(),
    /**
     * For a return: what went back before the invoice was fully paid, in positive cents. Nobody had a share of it yet.
     */
    beforePaidCents: cents().default(0),
    /** For a return: what the receipt no longer held, in positive cents. Operating money makes the trust whole. */
    coveredCents: cents().default(0),
    /** For an application: what its invoice had to give up again, since the money was never good. */
    takenBackCents: cents().default(0),
    /** The same, by the day on which it was given up; oldest first. */
    takeBacks: json<TakeBack[]>().onCreate(() => []),
    /** For a chargeback: how far the bank is. */
    dispute: json<Dispute>().strictNullable(),
    method: code<PaymentMethod>(),
    /** A card payment's payment intent, the number of a check, a refund's id at the processor. */
    reference: p.text(),
    status: code<PaymentStatus>(),
    receivedAt: instant(),
    receivedOn: businessDate(),
    /** True when this payment completes the invoice, which is then split. */
    completesInvoice: p.boolean().default(false),
    /** Highest cumulative refund that the processor has reported for this card payment. */
    processorRefundedCents: cents().default(0),
    chargeId: p.text().strictNullable(),
    /** For an application: the receipt whose unapplied money it is. */
    sourcePaymentId: p.text().strictNullable(),
    allocations: json<RefundAllocation[]>().onCreate(() => []),
    /** For a refund caused by a policy transaction: which one, and its composition; null is proportional. */
    policyTransactionId: p.text().strictNullable(),
    composition: json<RefundComposition>().strictNullable(),
    reason: p.text().strictNullable(),
    /** Null where nobody else has to approve it. */
    approval: json<RefundApproval>().nullable(),
    /**
     * When all that follows from it had been done, or left out by an operator; null while its workflow has work to do.
     */
    sagaEndedAt: instant().nullable(),
    /** Digest and size of the stored receipt; null until it is stored. */
    receiptSha256: p.text().nullable(),
    receiptBytes: p.integer().nullable(),
    requiresManualReview: p.boolean().default(false),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Payment extends PaymentSchema.class {}
PaymentSchema.setClass(Payment);
