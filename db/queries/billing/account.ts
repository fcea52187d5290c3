// The rows of a policy's account: invoices, what has changed on them since, payments, and money that was applied to
// another policy's invoice.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Account, AccountEntry } from '../../../domain/billing/account.ts';
import { type InvoiceAmounts, invoiceBalance } from '../../../domain/billing/invoice.ts';
import type { Cents } from '../../../domain/money.ts';
import { InvoiceAdjustment } from '../../entities/billing/invoice-adjustment.ts';
import { Payment } from '../../entities/billing/payment.ts';
import { inOneSnapshot } from '../../snapshot.ts';
import { invoiceAmounts, invoicesOfPolicy } from './invoices.ts';

/** Reads all that has happened on the account of a policy, as it was at one moment. */
export function accountOf(em: EntityManager, policyId: string): Promise<Account> {
  return inOneSnapshot(em, (inner) => readAccount(inner, policyId));
}

async function readAccount(em: EntityManager, policyId: string): Promise<Account> {
  const invoices = await invoicesOfPolicy(em, policyId);
  const adjustments = await em.find(InvoiceAdjustment, { policyId }, { orderBy: { id: 'asc' } });
  const payments = await em.find(Payment, { policyId }, { orderBy: { id: 'asc' } });
  return {
    invoices: invoices.map((invoice) => ({ ...invoice, claimCents: claimOf(invoiceAmounts(invoice)) })),
    adjustments,
    payments,
    transfers: await transfersOf(em, policyId, payments),
  };
}

/** What an invoice claims, paid or not. `invoice_claim` of the database says the same. */
function claimOf(invoice: InvoiceAmounts): Cents {
  const balanceCents = invoice.uncollectible ? 0 : invoiceBalance(invoice);
  return balanceCents + invoice.paidCents - invoice.refundedCents;
}

/** Unapplied money may pay an invoice of any policy. */
async function transfersOf(em: EntityManager, policyId: string, payments: readonly Payment[]): Promise<AccountEntry[]> {
  const taken = payments.filter(({ kind }) => kind === 'application');
  const receipts = new Set(payments.map(({ id }) => id));
  const came = taken.filter(({ sourcePaymentId }) => !receipts.has(sourcePaymentId ?? ''));
  const went = await em.find(Payment, {
    kind: 'application',
    sourcePaymentId: { $in: [...receipts] },
    policyId: { $ne: policyId },
  });
  return [...came.map((each) => transfer(each, -1)), ...went.map((each) => transfer(each, 1))];
}

/** The invoice of another policy is not named. */
function transfer({ id, reference, invoiceId, appliedCents, ...row }: Payment, sign: 1 | -1): AccountEntry {
  return {
    ...{ id, at: row.createdAt, date: row.receivedOn, kind: 'transfer', reference, amountCents: sign * appliedCents },
    ...{ invoiceId: sign < 0 ? invoiceId : null, paymentId: id, transactionId: null, dueDate: null },
  };
}
