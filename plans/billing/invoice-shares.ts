/** Who owns the money of a paid invoice: one calculation for commission, both ledgers and every return. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Invoice, InvoiceLine } from '../../db/entities/billing/invoice.ts';
import { type CommissionedTransaction, commissionedTransactions } from '../../db/queries/billing/commission-basis.ts';
import { findPolicy } from '../../db/queries/policy/policies.ts';
import { type CommissionTerms, type PremiumShares, premiumShares } from '../../domain/billing/commission.ts';
import { type InvoiceSplit, premiumOfLines, splitInvoice } from '../../domain/billing/ledger/invoice-split.ts';
import {
  type MovedPremium,
  type PremiumAtTerms,
  premiumByTerms,
} from '../../domain/billing/ledger/premium-by-terms.ts';
import { DomainError } from '../../domain/errors.ts';

/** How the premium of one set of terms is shared. */
export interface TermsShares extends PremiumShares {
  terms: CommissionTerms;
  /** The first transaction on the invoice with these terms. */
  transactionId: string;
}

export interface InvoiceShares {
  /** The first are those of the transaction that billed the invoice. */
  byTerms: [TermsShares, ...TermsShares[]];
  split: InvoiceSplit;
  /** Null if no agent has a share. */
  producerId: string | null;
}

/** Overrides the stored rows: `lines` replace the invoice's; `issuing` is the transaction being issued. */
export interface SharesAsOf {
  lines?: readonly InvoiceLine[];
  issuing?: CommissionedTransaction;
}

/**
 * Computes an invoice's shares; each line's premium is shared on the terms of the line's transaction.
 * @throws DomainError not_ready when the line has no commission schedule: an operator adds one and retries
 */
export async function sharesOf(
  em: EntityManager,
  invoice: Invoice,
  { lines = invoice.lines, issuing }: SharesAsOf = {},
): Promise<InvoiceShares> {
  const policy = await findPolicy(em, invoice.policyId);
  if (policy === null) throw new DomainError('not_found', 'There is no such policy.');
  const { lineOfBusiness } = policy;
  const ids = [...new Set(lines.map((line) => transactionOf(invoice, line)))];
  const others = ids.filter((id) => id !== invoice.transactionId);
  const stored = await commissionedTransactions(em, { ids: [invoice.transactionId, ...others], lineOfBusiness });
  const known = issuing === undefined ? stored : [...stored, issuing];
  const movedBy = (id: string): MovedPremium => {
    const transaction = known.find((each) => each.id === id);
    if (!transaction?.terms) throw noSchedule(lineOfBusiness);
    const { terms, type } = transaction;
    const premiumCents = premiumOfLines(lines.filter((line) => transactionOf(invoice, line) === id));
    return { transactionId: id, terms, premiumCents, isSpread: type === 'cancellation' || type === 'reinstatement' };
  };
  const { producerId } = invoice;
  const [first, ...rest] = premiumByTerms([movedBy(invoice.transactionId), ...others.map(movedBy)]);
  const sharesAt = ({ premiumCents, ...at }: PremiumAtTerms): TermsShares => ({
    ...at,
    ...premiumShares(premiumCents, at.terms, producerId !== null),
  });
  const byTerms: InvoiceShares['byTerms'] = [sharesAt(first), ...rest.map(sharesAt)];
  return { byTerms, split: splitInvoice(lines, byTerms), producerId };
}

function noSchedule(lineOfBusiness: string): DomainError {
  const message = `There is no commission schedule for ${lineOfBusiness}.`;
  return new DomainError('not_ready', message, { missing: ['commissionSchedule'] });
}

function transactionOf(invoice: Invoice, { transactionId }: InvoiceLine): string {
  return transactionId ?? invoice.transactionId;
}
