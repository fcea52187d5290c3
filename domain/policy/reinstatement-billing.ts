// How a reinstatement reaches the invoices: what the cancellation voided or credited is billed as it was, and what was
// really refunded is billed on one new invoice. The price of a gap comes off the last of these first. An invoice that
// the credit settled stays settled and shared out; its credit is billed on the new one. A plan only. Contract 3.2
// "reinstate".

import { isFullyPaid } from '../billing/invoice.ts';
import { type BusinessDate, maxDate } from '../dates.ts';
import { type Cents, sumCents } from '../money.ts';
import { multiplyRatios, ratio, roundHalfUp } from '../ratio.ts';
import { byDueDate, type NewInvoice, type PlannedInvoice } from './billing-change.ts';
import {
  type ChangeAmounts,
  type ChangeLine,
  chargeLines,
  creditLines,
  premiumLines,
  sumOfLines,
  totalOf,
} from './invoice-lines.ts';

/** How a cancellation changed the invoices, and the state of its refund. */
export interface CancelledBilling {
  /** Without those reissued since: they are billed already. */
  voidedIds: readonly string[];
  credits: readonly { invoiceId: string; creditLines: readonly ChangeLine[] }[];
  /** What was refunded, pending refunds included, failed ones not. */
  refundedCents: Cents;
}

/** The planned changes. Reopened totals + restored lines + the new invoice − refund + unbilled = the total change. */
export interface ReinstatementPlan {
  /**
   * Void invoices that become valid again; `creditLines` (negative) where a gap makes them smaller; due today if their
   * day has passed.
   */
  reopened: { invoiceId: string; totalCents: Cents; creditLines: ChangeLine[]; dueDate: BusinessDate }[];
  /** Credits reversed, wholly or in part: lines that make the invoice larger; due today if its day has passed. */
  restored: { invoiceId: string; addedLines: ChangeLine[]; dueDate: BusinessDate }[];
  newInvoice: NewInvoice | null;
  /** More than zero only when a gap costs more than the cancellation left unbilled. */
  refundCents: Cents;
  /** Needs no bill: the cancellation's refund was never paid out, so that money still covers it. */
  unbilledCents: Cents;
}

interface Slot {
  /** Null for the new invoice. */
  invoice: PlannedInvoice | null;
  isVoid: boolean;
  cents: Cents;
  dueDate: BusinessDate;
}

/**
 * Plans a reinstatement. `change` is what it moves; `cancelled` is what the cancellation moved (negative). Their
 * difference is the price of the gap, which comes off what is due last. The new invoice is due on the later of today
 * and the effective date.
 */
export function planReinstatement(order: {
  change: ChangeAmounts;
  cancelled: ChangeAmounts;
  billing: CancelledBilling;
  invoices: readonly PlannedInvoice[];
  effectiveDate: BusinessDate;
  today: BusinessDate;
  /** The description of new lines, e.g. `Reinstated premium`. */
  description: string;
}): ReinstatementPlan {
  const { change, cancelled, billing, invoices, today, description } = order;
  const dueDate = maxDate(today, order.effectiveDate);
  const restorable = slotsOf(billing, invoices, today);
  const newCents = billing.refundedCents + settledCents(billing, invoices);
  const slots = [...restorable, { invoice: null, isVoid: false, cents: newCents, dueDate }];
  const backCents = sumCents(slots.map(({ cents }) => cents));
  const returnedCents = -totalOf(cancelled);
  const gapCents = returnedCents - totalOf(change);
  const { kept, restCents } = takeFromLast(slots, gapCents);
  const plan: ReinstatementPlan = {
    reopened: [],
    restored: [],
    newInvoice: null,
    refundCents: 0,
    unbilledCents: 0,
  };
  for (const { slot, cents } of kept) {
    const { invoice, isVoid, dueDate } = slot;
    if (cents === 0) continue;
    if (invoice === null) plan.newInvoice = { dueDate, lines: linesInProportion(cancelled, cents, description) };
    else if (isVoid) plan.reopened.push(reopen(invoice, cents, dueDate, description));
    else plan.restored.push({ invoiceId: invoice.id, addedLines: restore(billing, slot, cents, description), dueDate });
  }
  const heldCents = returnedCents - backCents;
  plan.unbilledCents = Math.max(heldCents - restCents, 0);
  plan.refundCents = Math.max(restCents - heldCents, 0);
  return plan;
}

/** Sums a plan to its change in total due. */
export function reinstatementTotal(plan: ReinstatementPlan): Cents {
  return (
    sumCents(plan.reopened.map((each) => each.totalCents + sumOfLines(each.creditLines))) +
    sumCents(plan.restored.map(({ addedLines }) => sumOfLines(addedLines))) +
    sumOfLines(plan.newInvoice?.lines ?? []) +
    plan.unbilledCents -
    plan.refundCents
  );
}

function slotsOf(billing: CancelledBilling, invoices: readonly PlannedInvoice[], today: BusinessDate): Slot[] {
  const credited = new Map(billing.credits.map((each) => [each.invoiceId, -sumOfLines(each.creditLines)]));
  const touched = invoices.filter((invoice) =>
    invoice.voided ? billing.voidedIds.includes(invoice.id) : credited.has(invoice.id) && !isFullyPaid(invoice),
  );
  return byDueDate(touched).map((invoice) => ({
    invoice,
    isVoid: invoice.voided,
    cents: invoice.voided ? invoice.totalCents : (credited.get(invoice.id) ?? 0),
    dueDate: maxDate(invoice.dueDate, today),
  }));
}

function settledCents({ credits }: CancelledBilling, invoices: readonly PlannedInvoice[]): Cents {
  const settled = new Set(invoices.filter((each) => !each.voided && isFullyPaid(each)).map(({ id }) => id));
  return -sumCents(
    credits.filter(({ invoiceId }) => settled.has(invoiceId)).map((each) => sumOfLines(each.creditLines)),
  );
}

function takeFromLast(slots: readonly Slot[], gapCents: Cents) {
  let restCents = gapCents;
  const kept: { slot: Slot; cents: Cents }[] = [];
  // The new invoice bills what had already been paid, so it is the last to shrink.
  const [added, ...others] = [...slots].reverse();
  for (const slot of added ? [...others, added] : others) {
    const takenCents = Math.min(restCents, slot.cents);
    restCents -= takenCents;
    kept.unshift({ slot, cents: slot.cents - takenCents });
  }
  return { kept, restCents };
}

function reopen(invoice: PlannedInvoice, cents: Cents, dueDate: BusinessDate, description: string) {
  const { id: invoiceId, totalCents, lines } = invoice;
  const less = cents === totalCents ? [] : creditLines(lines, totalCents - cents, description);
  return { invoiceId, totalCents, creditLines: less, dueDate };
}

/** The credit with its sign reversed; where only a part comes back, the rest is deducted again. */
function restore(billing: CancelledBilling, slot: Slot, cents: Cents, description: string): ChangeLine[] {
  const credit = billing.credits.find(({ invoiceId }) => invoiceId === slot.invoice?.id)?.creditLines ?? [];
  const turned = credit.map((line) => ({ ...line, description, amountCents: -line.amountCents }));
  return cents === slot.cents ? turned : [...turned, ...creditLines(turned, slot.cents - cents, description)];
}

/** Premium, taxes and fees in the proportions returned; premium is the residual. */
function linesInProportion(cancelled: ChangeAmounts, cents: Cents, description: string): ChangeLine[] {
  const share = ratio(cents, totalOf(cancelled));
  const scaled = <T extends { amountCents: Cents }>(charges: readonly T[]) =>
    charges.map((each) => ({ ...each, amountCents: roundHalfUp(multiplyRatios(ratio(each.amountCents), share)) }));
  const charges = chargeLines({ fees: scaled(cancelled.fees), taxes: scaled(cancelled.taxes) });
  return [...premiumLines(cents - sumOfLines(charges), description), ...charges];
}
