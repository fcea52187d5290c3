// The words of a payment: what it is, how it came, how far it is. Contract 3.4 "Payment".

export type PaymentKind = 'card' | 'manual' | ReturnKind;
/** Money that went back: given back, taken back by a cardholder's bank, or never received after all. */
export type ReturnKind = 'refund' | 'chargeback' | 'reversal';
export const RETURN_KINDS = ['refund', 'chargeback', 'reversal'] as const satisfies ReturnKind[];
export type PaymentMethod = 'card' | 'check' | 'ach' | 'wire' | 'cash';
export type PaymentStatus = 'pending' | 'succeeded' | 'failed';
