/** First earnings on an invoice shared out without any: it had only taxes, until it got premium or a fee. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import { postEntry } from '../../../db/queries/billing/ledger.ts';
import { earningsEntry } from '../../../domain/billing/ledger/entries.ts';
import type { InvoiceSplit } from '../../../domain/billing/ledger/invoice-split.ts';
import type { BusinessDate } from '../../../domain/dates.ts';

/** The posted shares, and those that replace them. */
export interface FirstEarnings {
  before: InvoiceSplit;
  after: InvoiceSplit;
  on: BusinessDate;
  description: string;
}

/**
 * Posts the earnings of a shared-out invoice that has none yet, if there were none to post. If there were, the step
 * that posts them is yet to run, or was skipped.
 */
export function postFirstEarnings(
  em: EntityManager,
  { id: invoiceId, policyId }: Invoice,
  { before, after, on: date, description }: FirstEarnings,
): void {
  if (earningsEntry(before) !== null) return;
  const source = { sourceType: 'invoice', sourceId: invoiceId, policyId, invoiceId } as const;
  postEntry(em, earningsEntry(after), { ...source, date, description });
}
