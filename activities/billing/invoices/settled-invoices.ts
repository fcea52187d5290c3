/**
 * Shares out an invoice outside its payment's saga: one settled by a credit or write-off, since no payment will
 * complete it, and one that changes while the saga is between steps. Contract 3.4.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import { writeNewRows } from '../../../db/new-rows.ts';
import { commissionRecordsOf } from '../../../db/queries/billing/commission-basis.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { postEntry, sharingEntries } from '../../../db/queries/billing/ledger.ts';
import { paymentsOf } from '../../../db/queries/billing/payments.ts';
import { isSkipped } from '../../../db/queries/billing/step-skips.ts';
import { isFullyPaid } from '../../../domain/billing/invoice.ts';
import { earningsEntry, splitEntry } from '../../../domain/billing/ledger/entries.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { type SharesAsOf, sharesOf } from '../../../plans/billing/invoice-shares.ts';
import { persistEarned } from './commission-records.ts';
import { resettle } from './resettled-invoices.ts';

/** The steps of the saga that post to a ledger; what an operator skipped stays missing. */
const STEPS = [
  ['earnings', 'general ledger'],
  ['split', 'fiduciary ledger'],
] as const;

/** Whether an invoice is paid in full; if so, it is no longer written off. */
export function markPaid(invoice: Invoice): boolean {
  const isPaid = isFullyPaid(invoiceAmounts(invoice));
  if (isPaid) invoice.uncollectibleAt = null;
  return isPaid;
}

/**
 * Persists a settled invoice's commission and shares; one already shared out is settled again.
 * @throws DomainError not_ready without a commission schedule
 */
export async function shareOut(
  em: EntityManager,
  invoice: Invoice,
  on: BusinessDate,
  asOf: SharesAsOf = {},
): Promise<void> {
  markPaid(invoice);
  const posted = await postedOf(em, invoice);
  if (posted.has('split')) return resettle(em, invoice, { cause: `${invoice.id}/${invoice.version}`, on, asOf });
  await postMissing(em, invoice, { posted, on, asOf, reason: 'settled without a payment' });
}

/**
 * Finishes what a locked, paid invoice's saga has begun to post, before lines or shares change: commission and both
 * ledgers share out the same amounts on the same day, that of the payment. The saga finds its steps done. If it has
 * posted nothing yet, nothing happens here, and it will share out the changed invoice. Writes the transaction's new
 * rows.
 * @throws DomainError not_ready without a commission schedule
 */
export async function finishSharing(em: EntityManager, invoice: Invoice, today: BusinessDate): Promise<void> {
  const posted = await postedOf(em, invoice);
  if (posted.has('split') || !(await isBegun(em, invoice, posted))) return;
  for (const [entryType, step] of STEPS) {
    if (await isSkipped(em, { invoiceId: invoice.id, step })) posted.add(entryType);
  }
  const payment = (await paymentsOf(em, [invoice.id])).findLast(({ completesInvoice }) => completesInvoice);
  const on = payment?.receivedOn ?? today;
  await postMissing(em, invoice, { posted, on, asOf: {}, reason: 'on full payment' });
  await writeNewRows(em);
}

interface Missing {
  posted: ReadonlySet<string>;
  on: BusinessDate;
  asOf: SharesAsOf;
  reason: string;
}

async function postMissing(em: EntityManager, invoice: Invoice, { posted, on, asOf, reason }: Missing): Promise<void> {
  const shares = await sharesOf(em, invoice, asOf);
  const { id: invoiceId, policyId, invoiceNumber } = invoice;
  const source = { sourceType: 'invoice', sourceId: invoiceId, date: on, policyId, invoiceId } as const;
  const description = `Split of ${invoiceNumber}, ${reason}`;
  if (!posted.has('split')) postEntry(em, splitEntry(shares.split), { ...source, description });
  const earned = `Commission and fees of ${invoiceNumber}, ${reason}`;
  if (!posted.has('earnings')) postEntry(em, earningsEntry(shares.split), { ...source, description: earned });
  await persistEarned(em, invoice, { shares, on });
}

async function postedOf(em: EntityManager, { id }: Invoice): Promise<Set<string>> {
  return new Set((await sharingEntries(em, id)).map(({ entryType }) => entryType));
}

async function isBegun(em: EntityManager, { id }: Invoice, posted: ReadonlySet<string>): Promise<boolean> {
  return posted.size > 0 || (await commissionRecordsOf(em, id)).length > 0;
}
