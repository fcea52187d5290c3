// The rows of a policy's account: invoices, later changes to them, payments, and money applied to another policy's
// invoice.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Account } from '../../../domain/billing/account/account.ts';
import type { OwedInvoice } from '../../../domain/billing/account/due.ts';
import type { AccountEntry } from '../../../domain/billing/account/entry.ts';
import { type InvoiceAmounts, invoiceBalance } from '../../../domain/billing/invoice.ts';
import { type Cents, sumCents } from '../../../domain/money.ts';
import type { Invoice } from '../../entities/billing/invoice.ts';
import { InvoiceAdjustment } from '../../entities/billing/invoice-adjustment.ts';
import { Payment } from '../../entities/billing/payment.ts';
import { inOneSnapshot } from '../../snapshot.ts';
import { checksOfPolicy } from './account-checks.ts';
import { waitingChecks } from './account-waiting.ts';
import { invoiceAmounts, invoicesOfPolicy } from './invoices.ts';

/** An account with what is still owed on its invoices and to the insured: by check, and once their refund proceeds. */
interface OpenAccount extends Account {
  owed: OwedInvoice[];
  refundDueCents: Cents;
  refundPendingCents: Cents;
}

/** Reads everything on a policy's account, in one snapshot. */
export function policyAccount(em: EntityManager, policyId: string): Promise<OpenAccount> {
  return inOneSnapshot(em, (inner) => readAccount(inner, policyId));
}

async function readAccount(em: EntityManager, policyId: string): Promise<OpenAccount> {
  const invoices = await invoicesOfPolicy(em, policyId);
  const adjustments = await em.find(InvoiceAdjustment, { policyId }, { orderBy: { id: 'asc' } });
  const payments = await em.find(Payment, { policyId }, { orderBy: { id: 'asc' } });
  const { checks, refundDueCents } = await checksOfPolicy(em, policyId);
  const waiting = await waitingChecks(em, payments);
  return {
    invoices: invoices.map((invoice) => ({ ...invoice, ...asMade(invoice) })),
    adjustments,
    payments,
    transfers: await transfersOf(em, policyId, payments),
    checks: [...checks, ...waiting],
    refundDueCents,
    refundPendingCents: sumCents(waiting.map(({ amountCents, notOwedCents }) => amountCents - notOwedCents)),
    owed: invoices.flatMap(owedOn),
  };
}

/** Nothing is owed while a bank decides a dispute, or after a write-off. */
function owedOn(invoice: Invoice): OwedInvoice[] {
  const amounts = invoiceAmounts(invoice);
  const owedCents = amounts.uncollectible || invoice.disputed ? 0 : invoiceBalance(amounts);
  return owedCents > 0 ? [{ invoiceId: invoice.id, owedCents, dueDate: invoice.dueDate }] : [];
}

/** A bill that must be paid again has a new due date; a statement shows the original one. */
function asMade(invoice: Invoice) {
  return { dueDate: invoice.firstDueDate ?? invoice.dueDate, claimCents: claimOf(invoiceAmounts(invoice)) };
}

/** What an invoice claims, paid or not. The database's `invoice_claim` computes the same. */
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
  return [...came.flatMap((each) => transfersBy(each, -1)), ...went.flatMap((each) => transfersBy(each, 1))];
}

/** The full amount on its day, and each take-back on its own day. Another policy's invoice is not named. */
function transfersBy(application: Payment, sign: 1 | -1): AccountEntry[] {
  const { id, reference, createdAt: at, receivedOn: date, appliedCents, takenBackCents, takeBacks } = application;
  const invoiceId = sign < 0 ? application.invoiceId : null;
  const of = { kind: 'transfer' as const, reference, invoiceId, paymentId: id, transactionId: null, dueDate: null };
  const back = takeBacks.map((each, index) => ({
    ...{ ...of, id: `${id}/${index + 1}`, at: new Date(each.at), date: each.on, amountCents: -sign * each.amountCents },
  }));
  return [{ ...of, id, at, date, amountCents: sign * (appliedCents + takenBackCents) }, ...back];
}
