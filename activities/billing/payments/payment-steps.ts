/**
 * The steps after a recorded payment: commission, general ledger, fiduciary ledger, events. Operators see each one. A
 * step already done does nothing, and no one has a share of an invoice since reopened; a change to an invoice between
 * two steps posts the rest first (`finishSharing`). `receipts.ts` makes the receipt. Contract 3.4.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import type { MoneyStep } from '../../../contracts/machinery/saga.ts';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { findInvoice, invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { postEntry, sharingEntries } from '../../../db/queries/billing/ledger.ts';
import { findPayment } from '../../../db/queries/billing/payments.ts';
import { commandResult, saveCommand } from '../../../db/queries/platform/commands.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { invoiceStatus, isFullyPaid } from '../../../domain/billing/invoice.ts';
import { earningsEntry, splitEntry } from '../../../domain/billing/ledger/entries.ts';
import { type InvoiceSplit, splitTotal } from '../../../domain/billing/ledger/invoice-split.ts';
import type { Posting } from '../../../domain/billing/ledger/posting.ts';
import { KEPT_REFUND } from '../../../domain/billing/payment.ts';
import { DomainError } from '../../../domain/errors.ts';
import { toDollars } from '../../../domain/money.ts';
import { sharesOf } from '../../../plans/billing/invoice-shares.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import { type Deps, transaction } from '../../context.ts';
import { lockPayment } from '../../money-locks.ts';
import { persistEarned } from '../invoices/commission-records.ts';
import { invoiceLedger } from '../invoices/invoice-ledger.ts';
import { resettle } from '../invoices/resettled-invoices.ts';

/** Records what the producer and we have earned on the invoice; without a producer there is no record. Spec 6.4.4. */
export const recordCommission = (deps: Deps) =>
  paymentStep(deps, 'recordCommission', async (em, { payment, invoice }) => {
    if (!isFullyPaid(invoiceAmounts(invoice))) return;
    await persistEarned(em, invoice, { shares: await sharesOf(em, invoice), on: payment.receivedOn });
  });

/** Posts our earnings on the invoice to the general ledger. */
export const postEarnings = (deps: Deps) =>
  paymentStep(deps, 'postEarnings', async (em, paid) => {
    if (isFullyPaid(invoiceAmounts(paid.invoice))) await postOnce(em, paid, earningsEntry, 'Commission and fees');
  });

/**
 * Posts the owners of the invoice's money to the fiduciary ledger. A reopened invoice that is paid again is settled
 * again, with commission and earnings.
 */
export const postFiduciarySplit = (deps: Deps) =>
  paymentStep(deps, 'postFiduciarySplit', async (em, paid) => {
    const { payment, invoice } = paid;
    const { split, returned } = await invoiceLedger(em, invoice);
    if (!isFullyPaid(invoiceAmounts(invoice))) return;
    if (split === null) await postOnce(em, paid, splitEntry, 'Split');
    else if (splitTotal(split) <= splitTotal(returned)) {
      await resettle(em, invoice, { cause: payment.id, on: payment.receivedOn });
    }
  });

/** Publishes the payment and, when fully paid, the invoice, once each. Spec 6.1, 6.4.5. */
export const publishPaymentEvents = (deps: Deps) =>
  paymentStep(deps, 'publishPaymentEvents', async (em, paid, { orgId }) => {
    const { payment, invoice } = paid;
    const key = `events:${payment.id}`;
    if ((await commandResult(em, key)) !== null) return;
    const { today } = await businessDay(em, orgId, deps.now());
    saveCommand(em, key, 'publishPaymentEvents', {});
    const at = new Date(deps.now());
    const { id: invoiceId, invoiceNumber, policyId, totalCents } = invoice;
    const facts = { invoiceId, invoiceNumber, policyId, reference: payment.reference };
    const status = payment.completesInvoice ? 'paid' : invoiceStatus(invoiceAmounts(invoice), today);
    // Money applied later was already published as received, and so was a kept refund.
    if (payment.kind !== 'application' && payment.method !== KEPT_REFUND)
      writeEvent(em, 'payment.received', { ...facts, amount: toDollars(payment.amountCents), status }, at);
    if (payment.completesInvoice)
      writeEvent(em, 'invoice.paid', { ...facts, amount: toDollars(totalCents), status }, at);
  });

/** A payment with the invoice it is for. */
export interface PaidInvoice {
  payment: Payment;
  invoice: Invoice;
}

/** Reads a payment and its invoice. @throws DomainError not_found */
export async function readPaid(em: EntityManager, { entityId }: MoneyStep): Promise<PaidInvoice> {
  const payment = await findPayment(em, entityId);
  const invoice = payment?.invoiceId ? await findInvoice(em, payment.invoiceId) : null;
  if (payment === null || invoice === null) throw new DomainError('not_found', 'There is no such payment.');
  return { payment, invoice };
}

/**
 * Builds a step's activity: one transaction that writes its new rows in one round trip. The invoice is locked, since a
 * policy change may reclassify its lines.
 */
function paymentStep(
  deps: Deps,
  kind: string,
  work: (em: EntityManager, paid: PaidInvoice, step: MoneyStep) => Promise<void>,
) {
  return (step: MoneyStep): Promise<void> =>
    transaction(deps, { kind, orgId: step.orgId }, async (em) => {
      const paid = await lockPayment(em, step.entityId);
      if (!paid?.locked) throw new DomainError('not_found', 'There is no such payment.');
      await work(em, { payment: paid.payment, invoice: paid.locked.invoice }, step);
    });
}

/** One entry per type and invoice: the database refuses a second one. */
async function postOnce(
  em: EntityManager,
  { payment, invoice }: PaidInvoice,
  entryOf: (split: InvoiceSplit) => Posting | null,
  what: string,
): Promise<void> {
  const source = { sourceType: 'invoice', sourceId: invoice.id } as const;
  const { split } = await sharesOf(em, invoice);
  const entry = entryOf(split);
  if (entry === null) return;
  const posted = await sharingEntries(em, invoice.id);
  if (posted.some(({ entryType }) => entryType === entry.entryType)) return;
  postEntry(em, entry, {
    ...source,
    date: payment.receivedOn,
    description: `${what} of ${invoice.invoiceNumber} on full payment`,
    policyId: invoice.policyId,
    invoiceId: invoice.id,
  });
}
