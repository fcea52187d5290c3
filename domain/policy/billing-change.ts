// How a change in a policy's cost reaches its invoices: more is spread over the installments not yet due; less comes
// off the last unpaid ones first, and the rest is refunded to the insured. A plan only; it moves nothing. Contract 3.2
// "endorse", "cancel".
import { type InvoiceAmounts, invoiceBalance } from '../billing/invoice.ts';
import { addDays, type BusinessDate, maxDate } from '../dates.ts';
import { type Cents, splitEvenly, sumCents } from '../money.ts';
import {
  type ChangeAmounts,
  type ChangeLine,
  chargeLines,
  premiumLines,
  RECLASSIFIED,
  totalOf,
} from './invoice-lines.ts';
import { isTouched, returnParts, type TakenParts } from './part-return.ts';
import {
  addParts,
  linesOfParts,
  NO_PARTS,
  negativeParts,
  PART_NAMES,
  type Parts,
  partsOfChange,
  partsOfLines,
  takeOff,
  takeOffFirst,
  totalOfParts,
} from './parts.ts';

/** An invoice with the facts that decide its place in a plan. */
export interface PlannedInvoice extends InvoiceAmounts {
  id: string;
  installmentNumber: number;
  /** When it first fell due, if a reversed payment has moved its due date. */
  firstDueDate?: BusinessDate | null;
  lines: readonly ChangeLine[];
  /** What has been returned from its allocated money; none by default. */
  returned?: Parts;
  /** Whether a bank is deciding a dispute over money on it; false by default. */
  disputed?: boolean;
}

/** An invoice to create. */
export interface NewInvoice {
  dueDate: BusinessDate;
  /** A line may belong to an earlier transaction. */
  lines: (ChangeLine & { transactionId?: string })[];
}

/**
 * The planned changes. New invoices − credits − voided totals − refund − unclaimed + additions = the change in total
 * due. Every invoice is named at most once, except in `exchanges`.
 */
export interface BillingPlan {
  /** Lines that make invoices larger. */
  additions: { invoiceId: string; addedLines: ChangeLine[] }[];
  /** Lines (negative) that make invoices smaller. */
  credits: { invoiceId: string; creditLines: ChangeLine[] }[];
  /** Invoices with nothing left to bill, with their totals. */
  voids: { invoiceId: string; totalCents: Cents }[];
  /** Lines that sum to zero: parts that a paid invoice swaps so that less is owed on another one. */
  exchanges: { invoiceId: string; lines: ChangeLine[] }[];
  newInvoices: NewInvoice[];
  /** Money to refund, by part. */
  refund: Parts;
  /**
   * Deducted from what was due but neither paid nor billed: void and not reissued, or refunded earlier without a policy
   * change.
   */
  unclaimedCents: Cents;
}

/** Days from issue until a new invoice for additional premium is due. Contract 3.2. */
const ADDITIONAL_PREMIUM_DUE_DAYS = 15;

/** Returns the due date of a new invoice for additional premium. Contract 3.2. */
export function additionalPremiumDue(effectiveDate: BusinessDate, today: BusinessDate): BusinessDate {
  return maxDate(effectiveDate, addDays(today, ADDITIONAL_PREMIUM_DUE_DAYS));
}

/** The inputs of a plan. */
export interface BillingChange {
  change: ChangeAmounts;
  effectiveDate: BusinessDate;
  today: BusinessDate;
  invoices: readonly PlannedInvoice[];
  /** What the policy costs before the change; by default all of it counts as billed or paid. */
  written?: Readonly<Parts>;
  /** The line description: `Additional premium`, `Return premium`. */
  description: string;
  /** Whether additional premium gets its own invoice, even while installments are not yet due. */
  isBilledApart?: boolean;
}

/** Plans a change in total due, up or down; no change plans nothing. Contract 3.2. */
export function planBillingChange(order: BillingChange): BillingPlan {
  const totalCents = totalOf(order.change);
  if (totalCents > 0) return planAdditional(order);
  return totalCents < 0 ? planReturn(order) : emptyPlan();
}

/** An empty plan. */
function emptyPlan(): BillingPlan {
  return {
    ...{ additions: [], credits: [], voids: [], exchanges: [], newInvoices: [] },
    refund: { ...NO_PARTS },
    unclaimedCents: 0,
  };
}

/**
 * Lists invoices that can take additional premium, first due first: not void, not uncollectible, not fully paid, not
 * past due, not disputed. One under notice of cancellation is past due.
 */
function notYetDue<T extends PlannedInvoice>(invoices: readonly T[], today: BusinessDate): T[] {
  const isCollected = ({ uncollectible, disputed = false }: T) => !uncollectible && !disputed;
  const isOpen = (invoice: T) => invoiceBalance(invoice) > 0 && isCollected(invoice) && invoice.dueDate >= today;
  return byDueDate(invoices.filter(isOpen));
}

/**
 * Sorts invoices by due date and installment. One that is payable again keeps its place: a debt dates from the day it
 * first fell due.
 */
export function byDueDate<T extends Pick<PlannedInvoice, 'dueDate' | 'firstDueDate' | 'installmentNumber' | 'id'>>(
  invoices: readonly T[],
): T[] {
  const dayOf = ({ firstDueDate, dueDate }: T) => firstDueDate ?? dueDate;
  return invoices.toSorted((a, b) => {
    if (dayOf(a) !== dayOf(b)) return dayOf(a) < dayOf(b) ? -1 : 1;
    return a.installmentNumber - b.installmentNumber || (a.id < b.id ? -1 : 1);
  });
}

/** Returns the money on an invoice: paid and not refunded. */
export function moneyOn(invoice: Pick<InvoiceAmounts, 'paidCents' | 'refundedCents'>): Cents {
  return invoice.paidCents - invoice.refundedCents;
}

function planAdditional(order: BillingChange): BillingPlan {
  const { change, effectiveDate, today, invoices, description, isBilledApart = false } = order;
  const unpaid = isBilledApart ? [] : notYetDue(invoices, today);
  if (unpaid.length === 0) {
    const dueDate = additionalPremiumDue(effectiveDate, today);
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

function planReturn({ change, invoices, written, description }: BillingChange): BillingPlan {
  const standing = byDueDate(invoices.filter(({ voided }) => !voided)).reverse();
  const bills = standing.map((invoice) => ({
    id: invoice.id,
    parts: addParts(partsOfLines(invoice.lines), negativeParts(invoice.returned ?? NO_PARTS)),
    balanceCents: invoiceBalance(invoice),
  }));
  const { taken, rest } = returnParts(negativeParts(partsOfChange(change)), bills);
  const plan = emptyPlan();
  for (const each of taken.filter(isTouched)) {
    const invoice = standing.find(({ id }) => id === each.id);
    if (invoice) addTaken(plan, { invoice, taken: each, description });
  }
  if (written === undefined) return { ...plan, refund: rest };
  plan.refund = withoutUnclaimed(rest, addParts(written, negativeParts(addParts(...bills.map(({ parts }) => parts)))));
  // Money already returned for another reason cannot be returned twice, whichever part it was.
  const missingCents = totalOfParts(plan.refund) - sumCents(standing.map(moneyOn));
  plan.refund = takeOff(plan.refund, Math.max(missingCents, 0));
  plan.unclaimedCents = totalOfParts(rest) - totalOfParts(plan.refund);
  return plan;
}

/** Never below what was paid on it: only the balance is credited. */
function addTaken(
  plan: BillingPlan,
  { invoice, taken, description }: { invoice: PlannedInvoice; taken: TakenParts; description: string },
): void {
  const { id: invoiceId, totalCents } = invoice;
  const creditedCents = totalOfParts(taken.credited);
  const lines = linesOfParts(taken.exchanged, RECLASSIFIED);
  if (lines.length > 0) plan.exchanges.push({ invoiceId, lines });
  if (creditedCents === 0) return;
  if (creditedCents === totalCents && lines.length === 0) plan.voids.push({ invoiceId, totalCents });
  else {
    const creditLines = linesOfParts(negativeParts(taken.credited), description);
    plan.credits.push({ invoiceId, creditLines });
  }
}

/** Deducts from a return what no standing invoice bills; `open` is the policy's cost beyond those invoices. */
function withoutUnclaimed(rest: Readonly<Parts>, open: Readonly<Parts>): Parts {
  const openCents = PART_NAMES.map((part) => Math.max(Math.min(rest[part], open[part]), 0));
  return takeOffFirst(rest, open, Math.min(sumCents(openCents), Math.max(totalOfParts(open), 0)));
}
