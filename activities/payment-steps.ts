/**
 * What follows a recorded payment, each a step of its own that an operator sees: commission, general ledger, fiduciary ledger, events. A step
 * that has been done before does nothing. The receipt is in `receipts.ts`. Contract 3.4.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import { CommissionRecord } from '../db/entities/commission-record.ts';
import type { Invoice } from '../db/entities/invoice.ts';
import type { Payment } from '../db/entities/payment.ts';
import { addRow } from '../db/new-rows.ts';
import { commandResult, saveCommand } from '../db/queries/commands.ts';
import { earnedCommission } from '../db/queries/commission-basis.ts';
import { writeEvent } from '../db/queries/events.ts';
import { findInvoice, invoiceAmounts } from '../db/queries/invoices.ts';
import { entriesOf, postEntry } from '../db/queries/ledger.ts';
import { findPayment } from '../db/queries/payments.ts';
import { DomainError } from '../domain/errors.ts';
import { invoiceStatus } from '../domain/invoice.ts';
import { earningsEntry, splitEntry } from '../domain/ledger/entries.ts';
import type { InvoiceSplit } from '../domain/ledger/invoice-split.ts';
import type { Posting } from '../domain/ledger/posting.ts';
import { toDollars } from '../domain/money.ts';
import { businessDay } from './business-day.ts';
import { type Deps, transaction } from './context.ts';
import { earnedRecord, sharesOf } from './invoice-shares.ts';
import type { MoneyStep } from './messages-money.ts';

/** Records what the producer and we have earned with the invoice; one without a producer has no record. Spec 6.4.4. */
export const recordCommission = (deps: Deps) =>
  paymentStep(deps, 'recordCommission', async (em, { invoice }) => {
    if ((await earnedCommission(em, invoice.id)) !== null) return;
    const shares = await sharesOf(em, invoice);
    const { producerId } = shares;
    if (producerId === null) return;
    addRow(em, CommissionRecord, earnedRecord(invoice, shares, producerId));
  });

/** Posts to the general ledger what we have earned with the invoice. */
export const postEarnings = (deps: Deps) =>
  paymentStep(deps, 'postEarnings', (em, paid) => postOnce(em, paid, earningsEntry, 'Commission and fees'));

/** Posts to the fiduciary ledger whose the money of the invoice is. */
export const postFiduciarySplit = (deps: Deps) =>
  paymentStep(deps, 'postFiduciarySplit', (em, paid) => postOnce(em, paid, splitEntry, 'Shares'));

/** Tells of the payment, and of the invoice when it is fully paid by it, once each. Spec 6.1, 6.4.5. */
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

/** Builds the activity of a step: one transaction whose new rows are written in one round trip. */
function paymentStep(
  deps: Deps,
  kind: string,
  work: (em: EntityManager, paid: PaidInvoice, step: MoneyStep) => Promise<void>,
) {
  return (step: MoneyStep): Promise<void> =>
    transaction(deps, { kind, orgId: step.orgId }, async (em) => {
      await work(em, await readPaid(em, step), step);
    });
}

/** One entry of a type for an invoice: a second one would be refused by the database. */
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
  const posted = await entriesOf(em, source);
  if (posted.some(({ entryType }) => entryType === entry.entryType)) return;
  postEntry(em, entry, {
    ...source,
    date: payment.receivedOn,
    description: `${what} of ${invoice.invoiceNumber}, paid`,
    policyId: invoice.policyId,
    invoiceId: invoice.id,
  });
}
