/**
 * What a payment that was never good does to its invoice: it is payable again, no one has a share of it, and the
 * policy's past-due clock runs from the new due date. Shared by lost disputes and reversals. Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { invoiceAmounts, lockInvoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { isFullyPaid } from '../../../domain/billing/invoice.ts';
import { dueAgain } from '../../../domain/billing/reversal.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { toDollars } from '../../../domain/money.ts';
import { auditOf, type Origin } from '../../audit.ts';
import type { LockedInvoice } from '../../money-locks.ts';
import { resettle } from '../invoices/resettled-invoices.ts';
import { finishSharing } from '../invoices/settled-invoices.ts';

/** Why an invoice is payable again after a lost dispute, in events. */
export const CHARGED_BACK = 'charged_back';

/** A final return: the row for the money, which its invoice has already given back. */
export interface FinalReturn {
  row: Payment;
  origin: Omit<Origin, 'entityId'>;
  today: BusinessDate;
}

/** Reopens a locked invoice for what a final return took from it. */
export async function openAgain(
  em: EntityManager,
  { invoice }: LockedInvoice,
  { row, origin, today }: FinalReturn,
): Promise<void> {
  const before = factsOf(invoice);
  const wasPaid = isFullyPaid(invoiceAmounts(invoice));
  const movedCents = -row.appliedCents - row.beforePaidCents;
  row.beforePaidCents += movedCents;
  invoice.refundedBeforePaidCents += movedCents;
  fallDueAgain(invoice, today);
  const changes = auditedChanges(before, factsOf(invoice));
  writeAudit(em, auditOf({ ...origin, entityId: invoice.id }, 'invoice:reopen', 'invoice', changes));
  // From here on, new rows are written, including `row`.
  if (wasPaid) await finishSharing(em, invoice, today);
  await resettle(em, invoice, { cause: `${row.id}/${row.appliedCents}/reversed`, on: today });
}

/** Gives a locked invoice new time to be paid; the debt keeps its age. */
export function fallDueAgain(invoice: Invoice, today: BusinessDate): void {
  const dueDate = dueAgain(invoiceAmounts(invoice), today);
  if (dueDate > invoice.dueDate) invoice.firstDueDate ??= invoice.dueDate;
  invoice.dueDate = dueDate;
}

/** Gives a locked policy's invoices time to be paid, now that the money meant for them is gone. */
export async function giveTime(
  em: EntityManager,
  policyId: string,
  { billIds, origin, today }: Pick<FinalReturn, 'origin' | 'today'> & { billIds: readonly string[] },
): Promise<void> {
  if (billIds.length === 0) return;
  await em.flush();
  for (const invoice of await lockInvoicesOfPolicy(em, policyId)) {
    if (!billIds.includes(invoice.id)) continue;
    const before = factsOf(invoice);
    fallDueAgain(invoice, today);
    const changes = auditedChanges(before, factsOf(invoice));
    writeAudit(em, auditOf({ ...origin, entityId: invoice.id }, 'invoice:reopen', 'invoice', changes));
  }
}

/** Publishes money that was never good, under the reference its payer knows; `code` says why. */
export function publishReversed(
  em: EntityManager,
  { invoice }: LockedInvoice,
  { reference, amountCents, code, at }: { reference: string; amountCents: number; code: string; at: Date },
): void {
  const { id: invoiceId, invoiceNumber, policyId } = invoice;
  const facts = { invoiceId, invoiceNumber, policyId, reference };
  const amount = toDollars(amountCents);
  writeEvent(em, 'payment.failed', { ...facts, amount, status: 'reversed', severity: 'warning', code }, at);
}

function factsOf({ refundedBeforePaidCents, dueDate }: Invoice) {
  return { refundedBeforePaidCents, dueDate };
}
