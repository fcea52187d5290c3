// The content of a printed payment receipt.
import type { EntityManager } from '@mikro-orm/postgresql';
import { findInvoice } from '../../db/queries/billing/invoices.ts';
import { findPayment } from '../../db/queries/billing/payments.ts';
import { findPolicy } from '../../db/queries/policy/policies.ts';
import { moneyOf, PAYMENT_METHOD_NAMES } from '../../domain/billing/payment.ts';
import { DomainError } from '../../domain/errors.ts';
import { policyPageFactsOn } from './common-facts.ts';

/** Reads a payment receipt's content. @throws DomainError not_found */
export async function receiptFacts(em: EntityManager, paymentId: string) {
  const payment = await findPayment(em, paymentId);
  const invoice = payment?.invoiceId ? await findInvoice(em, payment.invoiceId) : null;
  const policy = invoice && (await findPolicy(em, invoice.policyId));
  if (!payment || !invoice || !policy) throw new DomainError('not_found', 'There is no such payment.');
  const { receivedOn, reference, method } = payment;
  return {
    ...(await policyPageFactsOn(em, policy, receivedOn)),
    invoice: { number: invoice.invoiceNumber },
    payment: { receivedOn, reference, method: PAYMENT_METHOD_NAMES[method], cents: moneyOf(payment) },
  };
}
