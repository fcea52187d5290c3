// The content of a printed invoice.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { InvoiceLine } from '../../db/entities/billing/invoice.ts';
import { findInvoice, invoiceAmounts } from '../../db/queries/billing/invoices.ts';
import { returnedPayments } from '../../db/queries/billing/payments.ts';
import { findPolicy } from '../../db/queries/policy/policies.ts';
import { billOf, invoiceBalance } from '../../domain/billing/invoice.ts';
import { PAYMENT_METHOD_NAMES } from '../../domain/billing/payment.ts';
import { DomainError } from '../../domain/errors.ts';
import { sumCents } from '../../domain/money.ts';
import { RECLASSIFIED } from '../../domain/policy/invoice-lines.ts';
import { policyPageFactsOn } from './common-facts.ts';
import { refundParts } from './refund-parts.ts';

/** Reads an invoice's content. @throws DomainError not_found */
export async function invoicePageFacts(em: EntityManager, invoiceId: string) {
  const invoice = await findInvoice(em, invoiceId);
  const policy = invoice && (await findPolicy(em, invoice.policyId));
  if (invoice === null || policy === null) throw new DomainError('not_found', 'There is no such invoice.');
  const { invoiceNumber: number, issueDate, dueDate, installmentNumber, installmentCount } = invoice;
  const amounts = invoiceAmounts(invoice);
  const bill = billOf(amounts, invoice.lines);
  const returned = (await returnedPayments(em, invoiceId)).map(({ payment, cents }) => ({
    name: `${PAYMENT_METHOD_NAMES[payment.method]} ${payment.reference}`,
    cents,
  }));
  const refundedCents = invoice.refundedCents - sumCents(returned.map(({ cents }) => cents));
  const { refunded, others } = await refundParts(em, invoiceId, refundedCents);
  const page = await policyPageFactsOn(em, policy, issueDate);
  return {
    ...page,
    // The insured may have been renamed since.
    insured: { ...page.insured, name: invoice.insuredName },
    returned,
    refunds: others,
    invoice: {
      ...{ number, issueDate, dueDate, installmentNumber, installmentCount },
      ...{ total: bill.totalCents, paid: invoice.paidCents, refunded },
      ...{ balance: invoiceBalance(amounts), isVoid: invoice.voidedAt !== null },
    },
    lines: printedLines(bill.lines),
  };
}

/** Leaves out lines that only move money between a bill's parts: they mean nothing to the insured. */
function printedLines(lines: readonly Pick<InvoiceLine, 'description' | 'amountCents'>[]) {
  const moved = lines.filter(({ description }) => description === RECLASSIFIED);
  const isMoveOnly = sumCents(moved.map(({ amountCents }) => amountCents)) === 0;
  return lines
    .filter(({ description }) => !isMoveOnly || description !== RECLASSIFIED)
    .map(({ description, amountCents: cents }) => ({ description, cents }));
}
