// How a change in a policy's cost reaches its invoices: more is spread over the unpaid installments; less comes off the
// last unpaid ones first, and the rest is refunded to the insured. A plan only; it moves nothing. Contract 3.2
// "endorse", "cancel".

import { type InvoiceAmounts, invoiceBalance, isFullyPaid } from '../billing/invoice.ts';
import { addDays, type BusinessDate, maxDate } from '../dates.ts';
import { type Cents, splitEvenly, sumCents } from '../money.ts';
import {
  type ChangeAmounts,
  type ChangeLine,
  chargeLines,
  creditLines,
  premiumLines,
  totalOf,
} from './invoice-lines.ts';

/** An invoice with the facts that decide its place in a plan. */
export interface PlannedInvoice extends InvoiceAmounts {
  id: string;
  installmentNumber: number;
  lines: readonly ChangeLine[];
}

/** An invoice to create. */
export interface NewInvoice {
  dueDate: BusinessDate;
  lines: ChangeLine[];
}

/**
 * The planned changes. New invoices − credits − voided totals − refund − unclaimed + additions = the change in total
 * due. Every invoice is named at most once.
 */
export interface BillingPlan {
  /** Lines that make invoices larger. */
  additions: { invoiceId: string; addedLines: ChangeLine[] }[];
  /** Lines (negative) that make invoices smaller; `isSettled` when that leaves nothing to pay. */
  credits: { invoiceId: string; creditLines: ChangeLine[]; isSettled: boolean }[];
  /** Invoices with nothing left, with their totals. */
  voids: { invoiceId: string; totalCents: Cents }[];
  newInvoices: NewInvoice[];
  /** Money to refund. */
  refundCents: Cents;
  /**
   * Deducted from what was due but neither paid nor billed: void and not reissued, or refunded earlier without a policy
   * change.
   */
  unclaimedCents: Cents;
}

/** Days from issue until a new invoice for additional premium is due. Contract 3.2. */
const ADDITIONAL_PREMIUM_DUE_DAYS = 15;

/** The inputs of a plan. */
export interface BillingChange {
  change: ChangeAmounts;
  effectiveDate: BusinessDate;
  today: BusinessDate;
  invoices: readonly PlannedInvoice[];
  /** Total due before the change; by default all of it counts as billed or paid. */
  totalDueCents?: Cents;
  /** The line description: `Additional premium`, `Return premium`. */
  description: string;
}

/** Plans a change in total due, up or down; no change plans nothing. Contract 3.2. */
export function planBillingChange(order: BillingChange): BillingPlan {
  const totalCents = totalOf(order.change);
  if (totalCents > 0) return planAdditional(order);
  return totalCents < 0 ? planReturn(order, -totalCents) : emptyPlan();
}

/** An empty plan. */
function emptyPlan(): BillingPlan {
  return { additions: [], credits: [], voids: [], newInvoices: [], refundCents: 0, unclaimedCents: 0 };
}

/** Sums a plan to its change in total due. */
export function planTotal(plan: BillingPlan): Cents {
  const lines = [
    ...plan.additions.flatMap(({ addedLines }) => addedLines),
    ...plan.credits.flatMap((credit) => credit.creditLines),
    ...plan.newInvoices.flatMap((invoice) => invoice.lines),
  ];
  const taken = [...plan.voids.map(({ totalCents }) => totalCents), plan.refundCents, plan.unclaimedCents];
  return sumCents(lines.map(({ amountCents }) => amountCents)) - sumCents(taken);
}

/**
 * Lists invoices that can still take additional premium, first due first: not void, not uncollectible, not fully paid.
 */
function unpaidInvoices<T extends PlannedInvoice>(invoices: readonly T[]): T[] {
  return byDueDate(invoices.filter((invoice) => invoiceBalance(invoice) > 0 && !invoice.uncollectible));
}

/** Sorts invoices by due date and installment. */
export function byDueDate<T extends Pick<PlannedInvoice, 'dueDate' | 'installmentNumber' | 'id'>>(
  invoices: readonly T[],
): T[] {
  return invoices.toSorted((a, b) => {
    if (a.dueDate !== b.dueDate) return a.dueDate < b.dueDate ? -1 : 1;
    return a.installmentNumber - b.installmentNumber || (a.id < b.id ? -1 : 1);
  });
}

/** Returns the money on an invoice: paid and not refunded. */
export function moneyOn(invoice: Pick<InvoiceAmounts, 'paidCents' | 'refundedCents'>): Cents {
  return invoice.paidCents - invoice.refundedCents;
}

function planAdditional({ change, effectiveDate, today, invoices, description }: BillingChange): BillingPlan {
  const unpaid = unpaidInvoices(invoices);
  if (unpaid.length === 0) {
    const dueDate = maxDate(effectiveDate, addDays(today, ADDITIONAL_PREMIUM_DUE_DAYS));
    const lines = [...premiumLines(change.premiumCents, description), ...chargeLines(change)];
    return { ...emptyPlan(), newInvoices: [{ dueDate, lines }] };
  }
  const premiums = splitEvenly(change.premiumCents, unpaid.length);
  const additions = unpaid.map(({ id }, index) => ({
    invoiceId: id,
    addedLines: [...premiumLines(premiums[index] ?? 0, description), ...(index === 0 ? chargeLines(change) : [])],
  }));
  return { ...emptyPlan(), additions: additions.filter(({ addedLines }) => addedLines.length > 0) };
}

function planReturn({ invoices, totalDueCents, description }: BillingChange, returnCents: Cents): BillingPlan {
  const plan = emptyPlan();
  let restCents = returnCents;
  for (const invoice of byDueDate(invoices).reverse()) {
    const takenCents = Math.min(restCents, invoiceBalance(invoice));
    if (takenCents === 0) continue;
    restCents -= takenCents;
    if (takenCents === invoice.totalCents) plan.voids.push({ invoiceId: invoice.id, totalCents: takenCents });
    else plan.credits.push(creditOf(invoice, takenCents, description));
  }
  plan.unclaimedCents = Math.min(restCents, unclaimed(invoices, totalDueCents));
  plan.refundCents = restCents - plan.unclaimedCents;
  return plan;
}

/** Never below what was paid on it: only the balance can be taken. */
function creditOf(invoice: PlannedInvoice, cents: Cents, description: string): BillingPlan['credits'][number] {
  const isSettled = cents === invoiceBalance(invoice) && !isFullyPaid(invoice);
  return { invoiceId: invoice.id, creditLines: creditLines(invoice.lines, cents, description), isSettled };
}

function unclaimed(invoices: readonly PlannedInvoice[], totalDueCents: Cents | undefined): Cents {
  if (totalDueCents === undefined) return 0;
  const claimedCents = sumCents(invoices.map((invoice) => moneyOn(invoice) + invoiceBalance(invoice)));
  return Math.max(totalDueCents - claimedCents, 0);
}
