/**
 * Reclassifies a shared-out invoice whose lines have exchanged parts: premium for tax, or tax for premium. Ledgers and
 * commission follow in the policy change's transaction, as far as the invoice's saga has posted them; it will post the
 * rest by the new lines. Contract 3.2 "Parts tie out".
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Invoice, InvoiceLine } from '../../../db/entities/billing/invoice.ts';
import { type CommissionedTransaction, commissionRecordsOf } from '../../../db/queries/billing/commission-basis.ts';
import { postEntry, sharingEntries } from '../../../db/queries/billing/ledger.ts';
import { keepTrustWhole } from '../../../db/queries/billing/remittances/shortfalls.ts';
import { earningsReclassification, sharesReclassification } from '../../../domain/billing/ledger/entries.ts';
import { isTakenFrom, splitDifference } from '../../../domain/billing/ledger/invoice-split.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { sharesOf } from '../../../plans/billing/invoice-shares.ts';
import { persistExchanged } from './commission-records.ts';
import { postFirstEarnings } from './first-earnings.ts';

/** The lines as they were before the exchange, and the policy change that caused it. */
export interface Exchange {
  linesBefore: InvoiceLine[];
  issuing: CommissionedTransaction;
  /** The purpose, unique in the organization, if the change has already exchanged parts of the invoice. */
  cause?: string;
  on: BusinessDate;
}

/** Posts the difference between an invoice's shares before and after an exchange; the invoice is locked. */
export async function reclassify(em: EntityManager, invoice: Invoice, exchange: Exchange): Promise<void> {
  const posted = await sharingEntries(em, invoice.id);
  const records = await commissionRecordsOf(em, invoice.id);
  if (posted.length === 0 && records.length === 0) return;
  const { linesBefore, issuing, on, cause } = exchange;
  const before = await sharesOf(em, invoice, { lines: linesBefore, issuing });
  const after = await sharesOf(em, invoice, { issuing });
  const moved = splitDifference(after.split, before.split);
  const isPosted = (type: string) => posted.some(({ entryType }) => entryType === type);
  const { id: invoiceId, policyId, invoiceNumber } = invoice;
  const source = {
    ...{
      sourceType: 'exchange' as const,
      sourceId: [issuing.id, invoiceId, ...(cause ? [cause] : [])].join('/'),
      policyId,
      invoiceId,
    },
    date: on,
    description: `Reclassification of ${invoiceNumber}`,
  };
  if (isPosted('split')) postEntry(em, sharesReclassification(moved), source);
  const description = `Commission and fees of ${invoiceNumber}, reclassified`;
  if (isPosted('earnings')) postEntry(em, earningsReclassification(moved), source);
  else if (isPosted('split'))
    postFirstEarnings(em, invoice, { before: before.split, after: after.split, on, description });
  persistExchanged(em, records, { before, after, source: { ...source, on } });
  if (isTakenFrom(moved)) await keepTrustWhole(em, invoice, on);
}
