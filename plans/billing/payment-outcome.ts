// What follows from a payment, as its saga needs to know it. Contract 3.4.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentOutcome } from '../../contracts/billing.ts';
import type { Invoice } from '../../db/entities/billing/invoice.ts';
import type { Payment } from '../../db/entities/billing/payment.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { standingNotice } from '../../domain/billing/delinquency-clock.ts';
import { moneyOf } from '../../domain/billing/payment.ts';
import { obsoleteAttemptsOn } from './obsolete-attempts.ts';

/** The invoice that a payment is for, and its policy. */
interface PaidBill {
  policy: Readonly<Policy>;
  invoice: Readonly<Invoice>;
}

/** The card attempts that could still be paid, on an invoice that a payment has settled. */
export async function attemptsLeft(
  em: EntityManager,
  { invoiceId, completesInvoice }: Pick<Payment, 'invoiceId' | 'completesInvoice'>,
): Promise<Pick<PaymentOutcome, 'obsoleteAttempts'>> {
  if (invoiceId === null || !completesInvoice) return {};
  return obsoleteAttemptsOn(em, invoiceId, { isSettled: true });
}

/** What the saga needs to know about a payment. */
export function paymentOutcome(payment: Payment, bill: PaidBill | null): PaymentOutcome {
  return {
    paymentId: payment.id,
    invoiceId: payment.invoiceId,
    invoiceNumber: bill?.invoice.invoiceNumber ?? null,
    policyId: payment.policyId,
    policyNumber: bill?.policy.policyNumber ?? null,
    hasProducer: (bill?.invoice.producerId ?? null) !== null,
    completesInvoice: payment.completesInvoice,
    policyToNotify: payment.completesInvoice || hasNotice(bill) ? payment.policyId : null,
    unappliedCents: moneyOf(payment) - payment.appliedCents,
  };
}

/** A partial payment may leave no more than return premium covers: then the notice is withdrawn. Decision 0317. */
function hasNotice(bill: PaidBill | null): boolean {
  return bill !== null && standingNotice(bill.policy) !== null;
}
