// One line of an insured's account, and the payments behind the lines.
import type { BusinessDate } from '../../dates.ts';
import type { Cents } from '../../money.ts';
import type { PaymentKind, PaymentMethod, PaymentStatus } from '../payment.ts';

export const ENTRY_KINDS = [
  'invoice',
  'additional_premium',
  'return_premium',
  'void',
  'restored',
  'write_off',
  'recovery',
  'credit',
  'payment',
  'refund',
  'refund_returned',
  'refund_withdrawn',
  'chargeback',
  'reversal',
  'transfer',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** The label of a line for readers who do not know these names. */
export const ENTRY_WORDS: Readonly<Record<EntryKind, string>> = {
  invoice: 'Invoice',
  additional_premium: 'Additional premium',
  return_premium: 'Return premium',
  void: 'Invoice withdrawn',
  restored: 'Amount owed again',
  write_off: 'Written off',
  recovery: 'Write-off reversed',
  credit: 'Not due, because its payment was refunded or disputed',
  payment: 'Payment received',
  refund: 'Refund paid',
  refund_returned: 'Refund that did not arrive, owed again',
  refund_withdrawn: 'Refund not owed, as the payment was returned',
  chargeback: 'Payment taken back by the bank of the card',
  reversal: 'Payment returned',
  transfer: 'Transfer between policies',
};

/** One line of an account. */
export interface AccountEntry {
  /** From the row behind it; entries of a day are ordered by `at`, then by id. */
  id: string;
  at: Date;
  date: BusinessDate;
  kind: EntryKind;
  /** The invoice number, or the payment's reference. */
  reference: string;
  amountCents: Cents;
  invoiceId: string | null;
  paymentId: string | null;
  transactionId: string | null;
  /** Of an invoice. */
  dueDate: BusinessDate | null;
}

/** A payment or return; amounts of returns are negative. */
export interface AccountPayment {
  id: string;
  invoiceId: string | null;
  kind: PaymentKind;
  method: PaymentMethod;
  status: PaymentStatus;
  reference: string;
  amountCents: Cents;
  appliedCents: Cents;
  beforePaidCents: Cents;
  coveredCents: Cents;
  policyTransactionId: string | null;
  receivedOn: BusinessDate;
  /** For a refund that needed one. */
  approval?: { decidedOn?: BusinessDate } | null | undefined;
  createdAt: Date;
}
