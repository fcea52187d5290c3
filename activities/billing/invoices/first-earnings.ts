/** First earnings on an invoice that was shared out without any: one of taxes alone, until it has premium or a fee. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import { postEntry } from '../../../db/queries/billing/ledger.ts';
import { earningsEntry } from '../../../domain/billing/ledger/entries.ts';
import type { InvoiceSplit } from '../../../domain/billing/ledger/invoice-split.ts';
import type { BusinessDate } from '../../../domain/dates.ts';

/** Shares that were posted, and what takes their place. */
export interface FirstEarnings {
  before: InvoiceSplit;
  after: InvoiceSplit;
  on: BusinessDate;
  description: string;
}

/**
 * Posts the earnings of a shared-out invoice that has no earnings yet, if that is because there were none. Where there
 * were some, the step that posts them is still to come, or was left out.
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
