// The vocabulary of payments: kinds, methods, statuses. Contract 3.4 "Payment".

import type { Cents } from '../money.ts';

/** An `application` puts unapplied cash from an earlier receipt on an invoice; it is not a receipt itself. */
export type PaymentKind = 'card' | 'manual' | 'application' | ReturnKind;
/** Returned money: refunded, taken back by a cardholder's bank, or never received after all. */
export type ReturnKind = 'refund' | 'chargeback' | 'reversal';
export const RETURN_KINDS = ['refund', 'chargeback', 'reversal'] as const satisfies ReturnKind[];
/** `kept_refund` is money owed back by check that stays with us instead of being paid out. Decision 0290. */
export const PAYMENT_METHODS = ['card', 'check', 'ach', 'wire', 'cash', 'kept_refund'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];
export const KEPT_REFUND = 'kept_refund' satisfies PaymentMethod;

/** As they are printed. */
export const PAYMENT_METHOD_NAMES: Readonly<Record<PaymentMethod, string>> = {
  card: 'Card',
  check: 'Check',
  ach: 'Bank transfer (ACH)',
  wire: 'Wire transfer',
  cash: 'Cash',
  kept_refund: 'Refund kept',
};

export const PAYMENT_STATUSES = ['pending_approval', 'pending', 'succeeded', 'failed'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** A return in one of these has not happened yet, but its money is reserved: no other return may use it. */
export const RESERVED_STATUSES = ['pending_approval', 'pending'] as const satisfies PaymentStatus[];

/** Whether a return with this status is only reserved. */
export function isReserved(status: PaymentStatus): boolean {
  return (RESERVED_STATUSES as readonly PaymentStatus[]).includes(status);
}

/** Whether money came in by it. */
export function isReceipt({ kind }: { kind: string }): boolean {
  return kind === 'card' || kind === 'manual';
}

/** Whether a payment put money on its invoice, as a receipt or by an application. */
export function paysInvoice(payment: { kind: string }): boolean {
  return isReceipt(payment) || payment.kind === 'application';
}

/** The money that a payment stands for, in cents: an application receives none of its own. */
export function moneyOf({
  kind,
  amountCents,
  appliedCents,
}: {
  kind: string;
  amountCents: Cents;
  appliedCents: Cents;
}) {
  return kind === 'application' ? appliedCents : amountCents;
}
