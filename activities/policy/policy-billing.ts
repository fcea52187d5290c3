/**
 * Carries out the billing part of a policy change: lines, totals, voids, new invoices, reserved refunds. Runs in the
 * change's transaction, under the locks on the policy and its invoices. Contract 3.2, 3.4.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import { Invoice, type InvoiceLine } from '../../db/entities/billing/invoice.ts';
import type { Payment } from '../../db/entities/billing/payment.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import type { IssuedTransaction } from '../../db/entities/policy/policy-transaction.ts';
import { newId } from '../../db/ids.ts';
import { addRow } from '../../db/new-rows.ts';
import {
  type Bill,
  type BillChange,
  changeBills,
  invoiceAmounts,
  lockBillsOfPolicy,
  lockInvoicesOfPolicy,
} from '../../db/queries/billing/invoices.ts';
import { paymentsOf } from '../../db/queries/billing/payments.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { nextInvoiceNumbers } from '../../db/queries/platform/counters.ts';
import { auditedChanges } from '../../domain/audit.ts';
import type { CommissionTerms } from '../../domain/billing/commission.ts';
import { isFullyPaid } from '../../domain/billing/invoice.ts';
import { paysInvoice } from '../../domain/billing/payment.ts';
import { allocateRefund } from '../../domain/billing/refund.ts';
import { yearOf } from '../../domain/dates.ts';
import { sumCents } from '../../domain/money.ts';
import type { ActorRef } from '../../domain/permissions.ts';
import type { BillingEffect } from '../../domain/policy/billing-effect.ts';
import type { BusinessDay } from '../../plans/platform/business-day.ts';
import { billingEffects } from '../../plans/policy/billing-effects.ts';
import type { ChangePlan, PlannedRefund } from '../../plans/policy/change-plan.ts';
import { auditOf, type Origin } from '../audit.ts';
import { reclassify } from '../billing/invoices/reclassified-invoices.ts';
import { finishSharing, shareOut } from '../billing/invoices/settled-invoices.ts';
import { persistReservation } from '../billing/refunds/reservations.ts';
import { reserveUnapplied } from '../billing/refunds/unapplied-returns.ts';
import type { Deps } from '../context.ts';

/** A plan being carried out by a policy transaction. */
export interface Billing {
  origin: Origin;
  /** Who requested the resulting refunds. */
  requestedBy: readonly ActorRef[];
  policy: Policy;
  transactionId: string;
  plan: Pick<ChangePlan, 'billing'> & { type: IssuedTransaction['type'] };
  /** Whether unapplied money is returned too. */
  returnsUnapplied: boolean;
  /** Why parts are exchanged, if the transaction has already exchanged parts. */
  cause?: string;
  day: BusinessDay;
  /** The real instant. */
  at: Date;
}

/** What was done, as stored with the transaction, and what is left to do. */
export interface BillingResult {
  effect: BillingEffect;
  refundIds: string[];
  /** Invoices with nothing left to pay, to be shared out. */
  settled: Invoice[];
  /** Paid invoices whose money now pays for different parts, with their earlier lines. */
  exchanged: { invoice: Invoice; linesBefore: InvoiceLine[] }[];
}

/** Changes the existing invoices. */
export async function changeInvoices(em: EntityManager, billing: Billing): Promise<BillingResult> {
  const { policy, plan } = billing;
  const bills = await lockBillsOfPolicy(em, policy.id);
  const effect = billingEffects(plan.billing, bills);
  const changed = new ChangedBills(em, billing, bills);
  const { additions, credits, voids, exchanges, reopened } = plan.billing;
  const isPaid = (invoiceId: string) => isFullyPaid(invoiceAmounts(changed.find(invoiceId)));
  const unpaid = credits.filter(({ invoiceId }) => !isPaid(invoiceId));
  for (const { invoiceId } of [...additions, ...credits, ...exchanges]) {
    if (isPaid(invoiceId)) await finishSharing(em, await readInvoice(em, invoiceId), billing.day.today);
  }
  for (const { invoiceId, addedLines, dueDate } of additions) changed.add(invoiceId, addedLines, dueDate);
  for (const { invoiceId, creditLines } of credits) changed.add(invoiceId, creditLines, null);
  const exchanged: BillingResult['exchanged'] = [];
  for (const { invoiceId } of exchanges) {
    const invoice = await readInvoice(em, invoiceId);
    exchanged.push({ invoice, linesBefore: [...invoice.lines, ...changed.addedTo(invoiceId)] });
  }
  for (const { invoiceId, lines } of exchanges) changed.add(invoiceId, lines, null);
  for (const { invoiceId } of voids) changed.makeVoid(invoiceId);
  for (const { invoiceId, creditLines, dueDate } of reopened) changed.reopen(invoiceId, creditLines, dueDate);
  // Judged by the rows: a refund only reserved still counts as paid until it is made.
  const settledIds = unpaid.map(({ invoiceId }) => invoiceId).filter(isPaid);
  await changed.write();
  const settled: Invoice[] = [];
  for (const invoiceId of settledIds) settled.push(await readInvoice(em, invoiceId));
  return { effect, refundIds: [], settled, exchanged };
}

function readInvoice(em: EntityManager, id: string): Promise<Invoice> {
  return em.findOneOrFail(Invoice, { id });
}

/** Persists the new invoices, the reserved refunds, and the shares of newly settled invoices. */
export async function persistBilling(
  em: EntityManager,
  deps: Deps,
  billing: Billing,
  { billed, commission }: { billed: BillingResult; commission: CommissionTerms | null },
): Promise<BillingResult> {
  const { policy, plan, day } = billing;
  const refundIds: string[] = [];
  for (const refund of plan.billing.refunds) refundIds.push(await reserve(em, deps, billing, refund));
  if (billing.returnsUnapplied) refundIds.push(...(await returnUnapplied(em, deps, billing)));
  const { transactionId, cause } = billing;
  const issuing = { id: transactionId, type: plan.type, terms: commission };
  for (const { invoice, linesBefore } of billed.exchanged.filter((each) => isSharedOut(each, billed))) {
    await reclassify(em, invoice, { linesBefore, issuing, on: day.today, ...(cause ? { cause } : {}) });
  }
  for (const invoice of billed.settled) await shareOut(em, invoice, day.today, { issuing });
  const { newInvoices } = plan.billing;
  // The counter comes last: every bind in the organization waits for it.
  const numbers = newInvoices.length === 0 ? [] : await nextInvoiceNumbers(em, yearOf(day.today), newInvoices.length);
  const madeIds = newInvoices.map(({ dueDate, lines }, index) => {
    const id = newId('invoice');
    const { id: policyId, producerId, insuredName } = policy;
    const [installmentNumber, installmentCount] = [index + 1, newInvoices.length];
    addRow(em, Invoice, {
      ...{ id, policyId, producerId, insuredName, installmentNumber, installmentCount, dueDate, lines },
      transactionId: billing.transactionId,
      invoiceNumber: numbers[index] ?? '',
      issueDate: day.today,
      totalCents: sumOf(lines),
    });
    return id;
  });
  return { ...billed, effect: namedEffect(billed.effect, madeIds), refundIds };
}

/**
 * Whether an exchange's money is shared out: no one has a share of an invoice that is payable again, and one settled
 * by the change is shared out by its new lines.
 */
function isSharedOut({ invoice }: BillingResult['exchanged'][number], { settled }: BillingResult): boolean {
  return isFullyPaid(invoiceAmounts(invoice)) && !settled.some(({ id }) => id === invoice.id);
}

/** New invoices come last, in the order of their ids. */
function namedEffect({ invoices, credits }: BillingEffect, madeIds: readonly string[]): BillingEffect {
  const ids = [...madeIds];
  return { invoices: invoices.map((each) => ({ ...each, invoiceId: each.invoiceId ?? ids.shift() ?? null })), credits };
}

async function returnUnapplied(em: EntityManager, deps: Deps, billing: Billing): Promise<string[]> {
  const { origin, requestedBy, policy, day, at } = billing;
  const { actor, requestId } = origin;
  const invoices = await lockInvoicesOfPolicy(em, policy.id);
  const reason = 'Unapplied money, cancellation';
  const facts = { at, on: day.today, actor, requestedBy, requestId, reason };
  return reserveUnapplied(em, deps, { policy, invoices }, facts);
}

/** The policy's bills while lines are added; each change is audited. */
class ChangedBills {
  readonly #em: EntityManager;
  readonly #billing: Billing;
  readonly #bills: Map<string, Bill>;
  /** The lines that are added, by the invoices that change. */
  readonly #added = new Map<string, InvoiceLine[]>();

  constructor(em: EntityManager, billing: Billing, bills: readonly Bill[]) {
    this.#em = em;
    this.#billing = billing;
    this.#bills = new Map(bills.map((bill) => [bill.id, bill]));
  }

  find(id: string): Bill {
    const bill = this.#bills.get(id);
    if (bill === undefined) throw new TypeError('A plan names an invoice of its policy');
    return bill;
  }

  addedTo(id: string): InvoiceLine[] {
    return this.#added.get(id) ?? [];
  }

  add(id: string, lines: readonly InvoiceLine[], dueDate: string | null): void {
    const { transactionId } = this.#billing;
    const { totalCents, ...bill } = this.find(id);
    const added = lines.map((line) => ({ ...line, transactionId }));
    this.#change(id, { totalCents: totalCents + sumOf(lines), dueDate: dueDate ?? bill.dueDate }, added);
  }

  makeVoid(id: string): void {
    this.#change(id, { voidedAt: this.#billing.at, voidedBy: this.#billing.transactionId });
  }

  reopen(id: string, creditLines: readonly InvoiceLine[], dueDate: string): void {
    this.#change(id, { voidedAt: null, voidedBy: null });
    this.add(id, creditLines, dueDate);
  }

  write(): Promise<void> {
    const changes = [...this.#added].map(([id, addedLines]): BillChange => {
      const { totalCents, dueDate, voidedAt, voidedBy } = this.find(id);
      return { id, addedLines, totalCents, dueDate, voidedAt, voidedBy };
    });
    return changeBills(this.#em, changes);
  }

  #change(id: string, change: Partial<Bill>, addedLines: readonly InvoiceLine[] = []): void {
    const before = this.find(id);
    const after = { ...before, ...change };
    this.#bills.set(id, after);
    this.#added.set(id, [...this.addedTo(id), ...addedLines]);
    const changes = auditedChanges(factsOf(before), factsOf(after));
    const origin = { ...this.#billing.origin, entityId: id };
    if (Object.keys(changes).length > 0) writeAudit(this.#em, auditOf(origin, 'invoice:adjust', 'invoice', changes));
  }
}

/** Reserves an invoice's refund so that nothing is refunded twice; the saga calls the card processor and books it. */
async function reserve(
  em: EntityManager,
  deps: Deps,
  { origin, requestedBy, policy, transactionId, plan, day, at }: Billing,
  { invoiceId, amountCents, composition }: PlannedRefund,
): Promise<string> {
  const id = newId('refund');
  const invoice = await em.findOneOrFail(Invoice, { id: invoiceId });
  const payments = await paymentsOf(em, [invoiceId]);
  const receipts = payments.filter(paysInvoice);
  const returns = payments.filter((each) => !paysInvoice(each) && each.status !== 'failed');
  const taken = allocateRefund<Payment>(receipts, returns, amountCents);
  const allocations = taken.map(({ receipt, amountCents }) => ({
    paymentId: receipt.id,
    amountCents,
    method: receipt.method,
    processorRefundId: null,
  }));
  await persistReservation(
    em,
    deps,
    { policy, invoice },
    {
      ...{ id, amountCents, appliedCents: amountCents, allocations },
      method: taken[0]?.receipt.method ?? 'check',
      ...{ at, on: day.today, actor: origin.actor, requestId: origin.requestId, policyTransactionId: transactionId },
      ...{ requestedBy, reason: REASONS[plan.type] },
      composition,
    },
  );
  return id;
}

const REASONS: Record<IssuedTransaction['type'], string> = {
  new_business: 'Return premium',
  renewal: 'Return premium, renewal',
  endorsement: 'Return premium, endorsement',
  cancellation: 'Return premium, cancellation',
  reinstatement: 'Days without coverage',
  non_renewal: 'Notice of non-renewal',
  non_renewal_withdrawal: 'Notice of non-renewal withdrawn',
  audit: 'Return premium, audit',
  payment_plan: 'Another payment plan',
};

function sumOf(lines: readonly { amountCents: number }[]): number {
  return sumCents(lines.map(({ amountCents }) => amountCents));
}

function factsOf({ totalCents, dueDate, voidedAt }: Bill): object {
  return { totalCents, dueDate, voidedAt: voidedAt?.toISOString() ?? null };
}
