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

/** The receipt that a refund returns, and how much of it; `processorRefundId` is null for money not taken by card. */
export interface RefundAllocation {
  paymentId: string;
  amountCents: number;
  /** The unapplied part; missing if the return itself states it. */
  unappliedCents?: number;
  method: PaymentMethod;
  processorRefundId: string | null;
  /** When an accepted card refund failed, in Unix seconds. The money has been owed by check since. */
  failedAt?: number;
}

/** Money that an application's invoice had to give up, with the instant in ISO 8601. */
interface TakeBack {
  at: string;
  on: BusinessDate;
  amountCents: number;
}

/** Who requested a refund that someone else must approve, and the decision. Ids of users, keys or the machine. */
export interface RefundApproval {
  requestedBy: string;
  /** The maker of the API key that requested it. */
  onBehalfOf: string | null;
  /** Everyone else behind it: who issued the cancellation notice it follows from, and the makers of their keys. */
  others?: string[];
  decision: 'approved' | 'rejected' | null;
  decidedBy: string | null;
  /** ISO 8601. */
  decidedAt: string | null;
  /** The business day of the decision. Decisions stored before days were recorded have none. */
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
     * For a return: the part returned before the invoice was fully paid, in positive cents. No one had a share of it
     * yet.
     */
    beforePaidCents: cents().default(0),
    /**
     * For a return: the part that the receipt no longer held, in positive cents. Operating money makes the trust whole.
     */
    coveredCents: cents().default(0),
    /** For an application: what its invoice had to give up because the money was never good. */
    takenBackCents: cents().default(0),
    /** The same, by the day it was given up; oldest first. */
    takeBacks: json<TakeBack[]>().onCreate(() => []),
    /** For a chargeback: the state of the bank's dispute. */
    dispute: json<Dispute>().strictNullable(),
    method: code<PaymentMethod>(),
    /** A card payment's intent, a check number, or a refund's id at the processor. */
    reference: p.text(),
    status: code<PaymentStatus>(),
    receivedAt: instant(),
    receivedOn: businessDate(),
    /** True when this payment completes the invoice, which is then split. */
    completesInvoice: p.boolean().default(false),
    /** Highest cumulative refund that the processor has reported for this card payment. */
    processorRefundedCents: cents().default(0),
    chargeId: p.text().strictNullable(),
    /** For an application: the receipt whose unapplied money it uses. */
    sourcePaymentId: p.text().strictNullable(),
    allocations: json<RefundAllocation[]>().onCreate(() => []),
    /** For a refund caused by a policy transaction: which one, and its composition; null is proportional. */
    policyTransactionId: p.text().strictNullable(),
    composition: json<RefundComposition>().strictNullable(),
    reason: p.text().strictNullable(),
    /** Null if no one else has to approve it. */
    approval: json<RefundApproval>().nullable(),
    /** When all follow-up steps were done, or skipped by an operator; null while its workflow has work to do. */
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
