/**
 * Writes the rows of a receipt: the payment, its application to the invoice, the trust ledger entry and the audit row,
 * all in one transaction. Shared by manual and card payments. Contract 3.4.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentOutcome } from '../../../contracts/billing.ts';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import { Payment } from '../../../db/entities/billing/payment.ts';
import { addRow } from '../../../db/new-rows.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { postEntry } from '../../../db/queries/billing/ledger.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import { receiptEntry } from '../../../domain/billing/ledger/entries.ts';
import type { PaymentKind, PaymentMethod } from '../../../domain/billing/payment.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { ActorRef } from '../../../domain/permissions.ts';
import { attemptsLeft, paymentOutcome } from '../../../plans/billing/payment-outcome.ts';
import { auditOf } from '../../audit.ts';
import type { LockedInvoice } from '../../money-locks.ts';
import { markPaid } from '../invoices/settled-invoices.ts';

/** Money received. */
export interface Receipt {
  paymentId: string;
  kind: Extract<PaymentKind, 'card' | 'manual'>;
  method: PaymentMethod;
  reference: string;
  amountCents: number;
  chargeId?: string | null;
  /** When it reached us, as reported. */
  receivedAt: Date;
  receivedOn: BusinessDate;
  /**
   * When it is recorded, read under the invoice's lock so that each of its payments has a different time. Defaults to
   * `receivedAt`.
   */
  recordedAt?: Date;
  actor: ActorRef;
  requestId: string | null;
}

/**
 * Persists a receipt: the invoice takes up to its balance, the rest stays unapplied in account 2070. `locked` is null
 * for money that matches no invoice. Changed rows are flushed; new rows are written when the transaction ends.
 */
export async function persistReceipt(
  em: EntityManager,
  locked: LockedInvoice | null,
  receipt: Receipt,
): Promise<PaymentOutcome> {
  const { amountCents, receivedOn } = receipt;
  const invoice = locked?.invoice ?? null;
  const before = invoice && { paidCents: invoice.paidCents };
  const appliedCents = invoice ? Math.min(amountCents, invoiceBalance(invoiceAmounts(invoice))) : 0;
  const completesInvoice = invoice !== null && appliedCents > 0 && takePayment(invoice, appliedCents);
  await em.flush();
  const payment = addRow(em, Payment, paymentRow(receipt, locked, { appliedCents, completesInvoice }));
  postEntry(em, receiptEntry(receipt.method, amountCents), {
    sourceType: 'payment',
    sourceId: payment.id,
    date: receivedOn,
    description: `Receipt ${receipt.reference}${invoice ? ` for ${invoice.invoiceNumber}` : ''}`,
    policyId: payment.policyId,
    invoiceId: payment.invoiceId,
  });
  const after = { ...(invoice && { paidCents: invoice.paidCents }), amountCents, appliedCents, method: receipt.method };
  const changes = auditedChanges(before, after);
  writeAudit(em, auditOf({ ...receipt, entityId: payment.id }, 'payment:record', 'payment', changes));
  return { ...paymentOutcome(payment, locked), ...(await attemptsLeft(em, payment)) };
}

/** Adds to the amount paid; true if that pays the invoice in full, even a written-off one. */
export function takePayment(invoice: Invoice, appliedCents: number): boolean {
  invoice.paidCents += appliedCents;
  invoice.lastPaymentError = null;
  return markPaid(invoice);
}

function paymentRow(
  receipt: Receipt,
  locked: LockedInvoice | null,
  taken: Pick<Payment, 'appliedCents' | 'completesInvoice'>,
) {
  const {
    paymentId,
    kind,
    method,
    reference,
    amountCents,
    chargeId = null,
    receivedAt,
    receivedOn,
    recordedAt,
  } = receipt;
  return {
    id: paymentId,
    invoiceId: locked?.invoice.id ?? null,
    policyId: locked?.policy.id ?? null,
    kind,
    method,
    reference,
    amountCents,
    chargeId,
    receivedAt,
    receivedOn,
    status: 'succeeded' as const,
    createdAt: recordedAt,
    ...taken,
  };
}
