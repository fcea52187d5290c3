// What a policy change does to each invoice, as previews and transactions show it. Contract 3.2 "transaction".
import type { BusinessDate } from '../dates.ts';
import type { Cents } from '../money.ts';
import type { Parts } from './parts.ts';

/** An invoice that a change creates or adjusts, as it is after the change. */
export interface InvoiceEffect {
  /** Null while it is only planned. */
  invoiceId: string | null;
  dueDate: BusinessDate;
  totalCents: Cents;
  /** How much more, or less, the invoice bills; its whole total if it is created, voided or reopened. */
  changeCents: Cents;
}

/** Less to pay on an invoice, or money returned from it; negative cents. */
export interface CreditEffect {
  invoiceId: string;
  kind: 'reduced' | 'refunded';
  amountCents: Cents;
  /** Null for what was credited before parts were kept. */
  parts: Parts | null;
}

/** All effects of a change: existing invoices by due date, then new ones. */
export interface BillingEffect {
  invoices: InvoiceEffect[];
  credits: CreditEffect[];
}
