// What an invoice says on paper.
import type { EntityManager } from '@mikro-orm/postgresql';
import { findInvoice, invoiceAmounts } from '../../db/queries/billing/invoices.ts';
import { findPolicy } from '../../db/queries/policy/policies.ts';
import { billOf, invoiceBalance } from '../../domain/billing/invoice.ts';
import { DomainError } from '../../domain/errors.ts';
import { policyPageFactsOn } from './common-facts.ts';

/** Reads what an invoice says. @throws DomainError not_found */
export async function invoiceFacts(em: EntityManager, invoiceId: string) {
  const invoice = await findInvoice(em, invoiceId);
  const policy = invoice && (await findPolicy(em, invoice.policyId));
  if (invoice === null || policy === null) throw new DomainError('not_found', 'There is no such invoice.');
  const { invoiceNumber: number, issueDate, dueDate, installmentNumber, installmentCount } = invoice;
  const amounts = invoiceAmounts(invoice);
  const bill = billOf(amounts, invoice.lines);
  return {
    ...(await policyPageFactsOn(em, policy, issueDate)),
    invoice: {
      ...{ number, issueDate, dueDate, installmentNumber, installmentCount },
      ...{ total: bill.totalCents, paid: invoice.paidCents, refunded: invoice.refundedCents },
      ...{ balance: invoiceBalance(amounts), isVoid: invoice.voidedAt !== null },
    },
    lines: bill.lines.map(({ description, amountCents: cents }) => ({ description, cents })),
  };
}
