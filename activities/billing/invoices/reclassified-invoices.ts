/**
 * Reclassifies a shared-out invoice whose lines have exchanged parts: premium for tax, tax for premium. Ledgers and
 * commission follow in the transaction of the policy change, each as far as the invoice's saga has posted it already;
 * what it has not posted yet, it will post by the new lines. Contract 3.2 "Parts tie out".
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { CommissionRecord } from '../../../db/entities/billing/commission-record.ts';
import type { Invoice, InvoiceLine } from '../../../db/entities/billing/invoice.ts';
import { addRow } from '../../../db/new-rows.ts';
import { earnedCommission } from '../../../db/queries/billing/commission-basis.ts';
import { entriesOf, postEntry } from '../../../db/queries/billing/ledger.ts';
import { earningsReclassification, sharesReclassification } from '../../../domain/billing/ledger/entries.ts';
import { splitDifference, splitPremium } from '../../../domain/billing/ledger/invoice-split.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { movedCommission } from './commission-moves.ts';
import { sharesOf } from './invoice-shares.ts';

/** The lines as they were before the exchange, and the policy change that caused it. */
export interface Exchange {
  linesBefore: InvoiceLine[];
  transactionId: string;
  on: BusinessDate;
}

/** Posts the difference between an invoice's shares before and after an exchange; the invoice is locked. */
export async function reclassify(em: EntityManager, invoice: Invoice, exchange: Exchange): Promise<void> {
  const posted = await entriesOf(em, { sourceType: 'invoice', sourceId: invoice.id });
  const earned = await earnedCommission(em, invoice.id);
  if (posted.length === 0 && earned === null) return;
  const before = await sharesOf(em, invoice, exchange.linesBefore);
  const moved = splitDifference((await sharesOf(em, invoice)).split, before.split);
  const isPosted = (type: string) => posted.some(({ entryType }) => entryType === type);
  const { id: invoiceId, policyId, invoiceNumber } = invoice;
  const source = {
    ...{ sourceType: 'exchange' as const, sourceId: `${exchange.transactionId}/${invoiceId}`, policyId, invoiceId },
    date: exchange.on,
    description: `Reclassification of ${invoiceNumber}`,
  };
  if (isPosted('split')) postEntry(em, sharesReclassification(moved), source);
  if (isPosted('earnings')) postEntry(em, earningsReclassification(moved), source);
  if (earned === null || splitPremium(moved) === 0) return;
  addRow(em, CommissionRecord, movedCommission(earned, moved, source));
}
