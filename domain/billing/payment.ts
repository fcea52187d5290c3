// The words of a payment: what it is, how it came, how far it is. Contract 3.4 "Payment".

export type PaymentKind = 'card' | 'manual' | 'refund' | 'chargeback';
export type PaymentMethod = 'card' | 'check' | 'ach' | 'wire' | 'cash';

export const PAYMENT_STATUSES = ['pending_approval', 'pending', 'succeeded', 'failed'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** A return in one of these has not happened yet, but its money is spoken for: nothing else may give it back. */
export const RESERVED_STATUSES = ['pending_approval', 'pending'] as const satisfies PaymentStatus[];

/** Whether a return with this status is only reserved. */
export function isReserved(status: PaymentStatus): boolean {
  return (RESERVED_STATUSES as readonly PaymentStatus[]).includes(status);
}
