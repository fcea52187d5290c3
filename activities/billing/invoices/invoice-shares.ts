/** Who owns the money of a paid invoice: one calculation for commission, both ledgers and every return. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Invoice, InvoiceLine } from '../../../db/entities/billing/invoice.ts';
import { newId } from '../../../db/ids.ts';
import { transactionTerms } from '../../../db/queries/billing/commission-basis.ts';
import { findPolicy } from '../../../db/queries/policy/policies.ts';
import type { CommissionTerms } from '../../../domain/billing/commission.ts';
import { type InvoiceSplit, splitInvoice, splitPremium } from '../../../domain/billing/ledger/invoice-split.ts';
import { DomainError } from '../../../domain/errors.ts';

export interface InvoiceShares {
  terms: CommissionTerms;
  split: InvoiceSplit;
  /** Null where no agent has a share. */
  producerId: string | null;
}

/**
 * Computes an invoice's shares by the terms of the transaction that it bills; `lines` by default as they are now.
 * @throws DomainError not_ready when the line has no commission schedule: an operator adds one and retries
 */
export async function sharesOf(
  em: EntityManager,
  invoice: Invoice,
  lines: readonly InvoiceLine[] = invoice.lines,
): Promise<InvoiceShares> {
  const policy = await findPolicy(em, invoice.policyId);
  if (policy === null) throw new DomainError('not_found', 'There is no such policy.');
  const { lineOfBusiness } = policy;
  const terms = await transactionTerms(em, { transactionId: invoice.transactionId, lineOfBusiness });
  if (terms === null) {
    const missing = ['commissionSchedule'];
    throw new DomainError('not_ready', `There is no commission schedule for ${lineOfBusiness}.`, { missing });
  }
  const { producerId } = invoice;
  return { terms, split: splitInvoice(lines, terms, producerId !== null), producerId };
}

/** The commission record for what the producer and we have earned on an invoice. Spec 6.4.4. */
export function earnedRecord(invoice: Invoice, { terms, split }: InvoiceShares, producerId: string) {
  const { tier, ...rates } = terms;
  return {
    id: newId('commissionRecord'),
    type: 'earned' as const,
    reversesId: null,
    policyId: invoice.policyId,
    invoiceId: invoice.id,
    producerId,
    sourceType: 'invoice',
    sourceId: invoice.id,
    grossPremiumCents: splitPremium(split),
    agentCommissionCents: split.agentCents,
    mgaCommissionCents: split.mgaCents,
    carrierNetCents: split.carrierCents,
    tier,
    rates,
  };
}
