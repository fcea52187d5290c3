// Money that came in for an invoice, or went back: receipts are positive, refunds and chargebacks negative.
import { defineEntity, p } from '@mikro-orm/core';
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
} from '../columns.ts';

export type PaymentKind = 'card' | 'manual' | 'refund' | 'chargeback';
export type PaymentMethod = 'card' | 'check' | 'ach' | 'wire' | 'cash';
export type PaymentStatus = 'pending' | 'succeeded' | 'failed';

/** Which receipt a refund gives back, and how much of it; `processorRefundId` is null for money not taken by card. */
export interface RefundAllocation {
  paymentId: string;
  amountCents: number;
  method: PaymentMethod;
  processorRefundId: string | null;
}

/** What a refund that a change of the policy caused is made of; the parts, positive, sum to what was asked back. */
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
    /** What the invoice took of it. The rest of a receipt is unapplied. */
    appliedCents: cents(),
    /** Of a return: what went back before the invoice was fully paid, in positive cents. It comes from money nobody had a share of. */
    beforePaidCents: cents().default(0),
    method: code<PaymentMethod>(),
    /** A card payment's payment intent, the number of a check, a refund's id at the processor. */
    reference: p.text(),
    status: code<PaymentStatus>(),
    receivedAt: instant(),
    receivedOn: businessDate(),
    /** Whether the invoice is fully paid with this payment, which is when its money is split. */
    completesInvoice: p.boolean().default(false),
    /** Highest cumulative refund that the processor has told of for this card payment. */
    processorRefundedCents: cents().default(0),
    chargeId: p.text().strictNullable(),
    allocations: json<RefundAllocation[]>().onCreate(() => []),
    /** Of a refund that a transaction of the policy caused: which one, and what it gives back; null gives back in proportion. */
    policyTransactionId: p.text().strictNullable(),
    composition: json<RefundComposition>().strictNullable(),
    reason: p.text().strictNullable(),
    /** When all that follows from it had been done, or left out by an operator; null while its workflow has work to do. */
    sagaEndedAt: instant().nullable(),
    requiresManualReview: p.boolean().default(false),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Payment extends PaymentSchema.class {}
PaymentSchema.setClass(Payment);
