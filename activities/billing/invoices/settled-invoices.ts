/**
 * Shares out an invoice that a credit has settled. No payment will complete it, so its money is shared out in the
 * credit's transaction, as a payment's saga would do. Contract 3.4.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import { postEntry, sharingEntries } from '../../../db/queries/billing/ledger.ts';
import { earningsEntry, splitEntry } from '../../../domain/billing/ledger/entries.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { persistEarned } from './commission-records.ts';
import { type SharesAsOf, sharesOf } from './invoice-shares.ts';
import { resettle } from './resettled-invoices.ts';

/**
 * Persists a settled invoice's commission and shares; one that was shared out before is settled again.
 * @throws DomainError not_ready without a commission schedule
 */
export async function shareOut(
  em: EntityManager,
  invoice: Invoice,
  date: BusinessDate,
  asOf: SharesAsOf = {},
): Promise<void> {
  const shares = await sharesOf(em, invoice, asOf);
  const source = { sourceType: 'invoice', sourceId: invoice.id } as const;
  const posted = await sharingEntries(em, invoice.id);
  if (posted.some(({ entryType }) => entryType === 'split')) {
    return resettle(em, invoice, { cause: `${invoice.id}/${invoice.version}`, on: date, asOf });
  }
  if (posted.length > 0) return;
  const { id: invoiceId, policyId, invoiceNumber } = invoice;
  const booked = { ...source, date, policyId, invoiceId };
  postEntry(em, splitEntry(shares.split), {
    ...booked,
    description: `Split of ${invoiceNumber}, settled by a credit`,
  });
  const description = `Commission and fees of ${invoiceNumber}, settled by a credit`;
  postEntry(em, earningsEntry(shares.split), { ...booked, description });
  await persistEarned(em, invoice, shares);
}
