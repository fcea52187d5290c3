// The words of a payment: what it is, how it came, how far it is. Contract 3.4 "Payment".

export type PaymentKind = 'card' | 'manual' | 'refund' | 'chargeback';
export type PaymentMethod = 'card' | 'check' | 'ach' | 'wire' | 'cash';
export type PaymentStatus = 'pending' | 'succeeded' | 'failed';
