/**
 * A won dispute: its money is back at the processor and applied to its invoice again. What the invoice can no longer
 * take stays unapplied and raises an alert. Runs inside the event's transaction. Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { writeNewRows } from '../../../db/new-rows.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { heldNow } from '../../../db/queries/billing/unapplied-cash.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import type { Dispute } from '../../../domain/billing/dispute.ts';
import { isFullyPaid } from '../../../domain/billing/invoice.ts';
import { takenAgain } from '../../../domain/billing/reversal.ts';
import { toDollars } from '../../../domain/money.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import { auditOf } from '../../audit.ts';
import type { Deps } from '../../context.ts';
import { invoiceLedger } from '../invoices/invoice-ledger.ts';
import { resettle } from '../invoices/resettled-invoices.ts';
import { shareOut } from '../invoices/settled-invoices.ts';
import { reapportion } from '../refunds/overlapping-returns.ts';
import { type LockedReceipt, raiseAlert } from '../refunds/refund-rows.ts';
import { reversePostings } from '../refunds/refund-steps.ts';
import { CARD_PROCESSOR } from './card-receipts.ts';

/**
 * The row no longer counts, its postings are reversed, and the invoice takes what it lacks. Refunds of the payment in
 * the meantime come from it again, not from operating money. `known` is the previous outcome.
 */
export async function winBack(
  em: EntityManager,
  deps: Deps,
  { chargeback, receipt, locked }: LockedReceipt & { chargeback: Payment },
  known: Dispute['outcome'],
): Promise<void> {
  chargeback.status = 'failed';
  const { today } = await businessDay(em, chargeback.orgId, deps.now());
  await reversePostings(em, chargeback, today);
  const wasPaid = locked !== null && isFullyPaid(invoiceAmounts(locked.invoice));
  const surplusCents = locked === null ? 0 : restore(locked.invoice, chargeback);
  receipt.appliedCents -= surplusCents;
  await writeNewRows(em);
  await reapportion(em, deps, { receiptIds: [receipt.id], locked, wasPaid });
  if (locked === null) {
    writeAudit(em, auditOfWin(chargeback, known));
    return;
  }
  const { invoice } = locked;
  const restCents = Math.min(surplusCents, (await heldNow(em, receipt)).unappliedCents);
  if (restCents > 0) raiseSurplus(em, deps, receipt, restCents);
  await writeNewRows(em);
  const isPaid = invoice.voidedAt === null && isFullyPaid(invoiceAmounts(invoice));
  const { split } = await invoiceLedger(em, invoice);
  if (split !== null) await resettle(em, invoice, { cause: `${chargeback.id}/won`, on: today });
  else if (isPaid && !wasPaid) await shareOut(em, invoice, today);
  const paysInvoice = isPaid && !wasPaid;
  writeAudit(em, auditOfWin(chargeback, known, { paysInvoice, restCents }));
  if (paysInvoice) publishPaid(em, deps, invoice, receipt);
}

/**
 * `invoicePaid` says that the money has paid the invoice, `unappliedCents` how much it did not take: the
 * reconciliation checks the event and the alert against them.
 */
function auditOfWin(
  { id: entityId }: Payment,
  known: Dispute['outcome'],
  { paysInvoice, restCents } = { paysInvoice: false, restCents: 0 },
) {
  const origin = { actor: CARD_PROCESSOR, requestId: null, entityId };
  const changes = {
    ...{ status: { before: 'succeeded', after: 'failed' }, outcome: { before: known, after: 'won' } },
    ...(paysInvoice ? { invoicePaid: { before: false, after: true } } : {}),
    ...(restCents > 0 ? { unappliedCents: { before: 0, after: restCents } } : {}),
  };
  return auditOf(origin, 'payment:chargeback_won', 'payment', changes);
}

/** Restores what a chargeback took from an invoice. Returns the surplus, which is deducted from its payments. */
function restore(invoice: Invoice, chargeback: Payment): number {
  const appliedCents = -chargeback.appliedCents;
  invoice.refundedCents -= appliedCents;
  invoice.refundedBeforePaidCents -= chargeback.beforePaidCents;
  const surplusCents = appliedCents - takenAgain(invoiceAmounts(invoice), appliedCents);
  invoice.paidCents -= surplusCents;
  return surplusCents;
}

function raiseSurplus(em: EntityManager, deps: Deps, receipt: Payment, amountCents: number): void {
  const { id: paymentId, invoiceId, reference } = receipt;
  const message = 'A chargeback was won, but the invoice can no longer take the money. It is held as unapplied cash.';
  raiseAlert(em, deps, { operation: 'payment.unapplied', message, paymentId, invoiceId, reference, amountCents });
}

/** No payment completes the invoice, so no saga publishes the event. */
function publishPaid(em: EntityManager, deps: Deps, invoice: Invoice, { reference }: Payment): void {
  const { id: invoiceId, invoiceNumber, policyId, totalCents } = invoice;
  const facts = { invoiceId, invoiceNumber, policyId, reference, amount: toDollars(totalCents), status: 'paid' };
  writeEvent(em, 'invoice.paid', facts, new Date(deps.now()));
}
