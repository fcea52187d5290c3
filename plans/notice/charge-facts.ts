// The facts in an autopay e-mail, read when it is sent.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Notice } from '../../contracts/notice.ts';
import { PaymentIntent } from '../../db/entities/billing/payment-intent.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { findById } from '../../db/entity-rows.ts';
import { autopayBill, findAutopay } from '../../db/queries/billing/autopay.ts';
import { findInvoice, invoiceAmounts } from '../../db/queries/billing/invoices.ts';
import { nextChargeOn } from '../../domain/billing/autopay.ts';
import { invoiceBalance } from '../../domain/billing/invoice.ts';
import type { ChargeNoticeFacts } from '../../domain/notice/autopay-texts.ts';

/** Whether a notice is about autopay. */
export function isAboutAutopay({ kind }: Notice): boolean {
  return kind === 'autopay_upcoming' || kind === 'autopay_failed' || kind === 'autopay_suspended';
}

/** The charge that a notice is about; null if the bill has since been paid or autopay switched off. */
export async function chargeFacts(
  em: EntityManager,
  { kind, on, transactionId = '' }: Notice,
  { insuredId }: Readonly<Policy>,
): Promise<ChargeNoticeFacts | null> {
  const isUpcoming = kind === 'autopay_upcoming';
  const attempt = isUpcoming ? null : await findById(em, PaymentIntent, transactionId);
  const invoice = await findInvoice(em, attempt?.invoiceId ?? transactionId);
  const autopay = await findAutopay(em, insuredId);
  if (invoice === null || !autopay?.card) return null;
  const bill = await autopayBill(em, invoice.id);
  const balanceCents = invoiceBalance(invoiceAmounts(invoice));
  if (balanceCents === 0 || (isUpcoming && (bill === null || invoice.dueDate !== on))) return null;
  const { invoiceNumber, dueDate } = invoice;
  const nextOn = bill === null ? null : nextChargeOn(bill);
  return { invoiceNumber, dueDate, balanceCents, card: autopay.card, nextOn, reason: autopay.suspendedReason };
}
