/**
 * What a payment that was never good does to its invoice: it is payable again, nobody has a share of it, and the policy
 * counts what is due from the new day. Shared by lost disputes and reversals. Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { applicationsOf } from '../../../db/queries/billing/unapplied-cash.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { isFullyPaid } from '../../../domain/billing/invoice.ts';
import { dueAgain } from '../../../domain/billing/reversal.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { toDollars } from '../../../domain/money.ts';
import { auditOf, type Origin } from '../../audit.ts';
import type { Deps } from '../../context.ts';
import type { LockedInvoice } from '../../money-locks.ts';
import { resettle } from '../invoices/resettled-invoices.ts';
import { finishSharing } from '../invoices/settled-invoices.ts';
import { raiseAlert } from '../refunds/refund-rows.ts';

/** A return for good: the row of the money, which its invoice has already given back. */
export interface FinalReturn {
  row: Payment;
  origin: Omit<Origin, 'entityId'>;
  today: BusinessDate;
}

/** Opens a locked invoice again for what a final return took from it. */
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
  invoice.dueDate = dueAgain(invoiceAmounts(invoice), today);
  const changes = auditedChanges(before, factsOf(invoice));
  writeAudit(em, auditOf({ ...origin, entityId: invoice.id }, 'invoice:reopen', 'invoice', changes));
  // From here on new rows are written, `row` among them.
  if (wasPaid) await finishSharing(em, invoice, today);
  await resettle(em, invoice, { cause: `${row.id}/${row.appliedCents}/reversed`, on: today });
}

/**
 * Other invoices have taken money that was never good: they stay paid, operating money stands for them, and somebody is
 * alerted to each.
 */
export async function alertToApplied(em: EntityManager, deps: Deps, receipt: Payment): Promise<void> {
  for (const { id: paymentId, invoiceId, reference, appliedCents: amountCents } of await applicationsOf(em, receipt)) {
    const message = 'An invoice was paid with money that was never good; operating money stands for it.';
    raiseAlert(em, deps, { operation: 'payment.applied', message, paymentId, invoiceId, reference, amountCents });
  }
}

/** Publishes a reversed payment under the reference that its payer knows; `code` says why. */
export function publishReversed(
  em: EntityManager,
  { invoice }: LockedInvoice,
  { row, receipt, code, at }: { row: Payment; receipt: Payment; code: string; at: Date },
): void {
  const { id: invoiceId, invoiceNumber, policyId } = invoice;
  const facts = { invoiceId, invoiceNumber, policyId, reference: receipt.reference };
  const amount = toDollars(-row.amountCents);
  writeEvent(em, 'payment.failed', { ...facts, amount, status: 'reversed', severity: 'warning', code }, at);
}

function factsOf({ refundedBeforePaidCents, dueDate }: Invoice) {
  return { refundedBeforePaidCents, dueDate };
}
