// How a reinstatement reaches the invoices: what the cancellation voided or credited is billed as before, and what was
// actually refunded is billed on one new invoice, part by part. The price of a gap comes off the last of these first.
// An invoice settled by the credit stays settled and allocated, and one voided since stays void; their credit is
// billed on the new invoice. A plan only. Contract 3.2 "reinstate".

import { isFullyPaid } from '../billing/invoice.ts';
import { type BusinessDate, maxDate } from '../dates.ts';
import type { Cents } from '../money.ts';
import { byDueDate, type NewInvoice, type PlannedInvoice } from './billing-change.ts';
import type { ChangeAmounts, ChangeLine } from './invoice-lines.ts';
import {
  addParts,
  linesOfParts,
  negativeParts,
  PART_NAMES,
  type Parts,
  partsOfChange,
  partsOfLines,
  takeOffFirst,
  totalOfParts,
} from './parts.ts';

/** How a cancellation changed the invoices, and the state of its refund. */
export interface CancelledBilling {
  /** Excludes those reissued since, which are billed already. */
  voidedIds: readonly string[];
  /** Its credit lines on each invoice, except void ones that were reissued with them. */
  credits: readonly { invoiceId: string; creditLines: readonly ChangeLine[] }[];
  /** What was refunded, including pending refunds but not failed ones. */
  refunded: Readonly<Parts>;
}

/** The planned changes. Reopened totals + restored lines + the new invoice + unbilled = the total change. */
export interface ReinstatementPlan {
  /** Void invoices that become valid again, with the lines that reduce them for a gap. */
  reopened: { invoiceId: string; totalCents: Cents; creditLines: ChangeLine[]; dueDate: BusinessDate }[];
  /** Credits reversed, wholly or in part: lines that make the invoice larger. */
  restored: { invoiceId: string; addedLines: ChangeLine[]; dueDate: BusinessDate }[];
  newInvoice: NewInvoice | null;
  /** Not billed: the cancellation's refund was never paid out, so that money still covers it. */
  unbilled: Parts;
}

interface Slot {
  invoice: PlannedInvoice;
  /** What is billed again on it. */
  parts: Parts;
  dueDate: BusinessDate;
}

/**
 * Plans a reinstatement. `change` is what it moves; `cancelled` is what the cancellation moved (negative). Their
 * difference is the price of the gap, which comes off what is due last. The new invoice is due on the later of today
 * and the effective date; no other invoice is due earlier. Contract 3.2.
 */
export function planReinstatementInvoices(order: {
  change: ChangeAmounts;
  cancelled: ChangeAmounts;
  billing: CancelledBilling;
  invoices: readonly PlannedInvoice[];
  effectiveDate: BusinessDate;
  today: BusinessDate;
  /** The description of new lines, e.g. `Reinstated premium`. */
  description: string;
}): ReinstatementPlan {
  const { billing, invoices, description } = order;
  const firstDay = maxDate(order.today, order.effectiveDate);
  const returned = negativeParts(partsOfChange(order.cancelled));
  const slots = slotsOf(billing, invoices, firstDay);
  const rest = addParts(returned, negativeParts(addParts(...slots.map(({ parts }) => parts))));
  balance(rest, slots);
  const gone = addParts(billing.refunded, closedParts(billing, invoices));
  const heldCents = Math.max(totalOfParts(rest) - totalOfParts(gone), 0);
  const held = addParts(rest, negativeParts(gone));
  const gap = addParts(returned, negativeParts(partsOfChange(order.change)));
  // The new invoice bills what had already been paid, so it is reduced last.
  for (const { parts } of slots.toReversed()) takeGap(gap, parts);
  takeGap(gap, rest);
  // What was never refunded is not billed: matched part by part first, as far as possible.
  const billed = takeOffFirst(rest, held, heldCents);
  const lines = linesOfParts(billed, description);
  return {
    ...restoredOn(slots, description),
    newInvoice: lines.length === 0 ? null : { dueDate: firstDay, lines },
    unbilled: addParts(rest, negativeParts(billed)),
  };
}

function slotsOf(billing: CancelledBilling, invoices: readonly PlannedInvoice[], firstDay: BusinessDate): Slot[] {
  const credited = new Map(billing.credits.map((each) => [each.invoiceId, partsOfLines(each.creditLines)]));
  return byDueDate(invoices).flatMap((invoice) => {
    const dueDate = maxDate(invoice.dueDate, firstDay);
    const credit = credited.get(invoice.id);
    if (!invoice.voided) {
      if (credit === undefined || isFullyPaid(invoice)) return [];
      return [{ invoice, parts: negativeParts(credit), dueDate }];
    }
    return billing.voidedIds.includes(invoice.id) ? [{ invoice, parts: partsOfLines(invoice.lines), dueDate }] : [];
  });
}

/** Credits on invoices that no longer bill anything: settled, or voided later for another reason. */
function closedParts({ credits, voidedIds }: CancelledBilling, invoices: readonly PlannedInvoice[]): Parts {
  const isClosed = ({ id, voided, ...amounts }: PlannedInvoice) =>
    voided ? !voidedIds.includes(id) : isFullyPaid(amounts);
  const closed = new Set(invoices.filter(isClosed).map(({ id }) => id));
  const lines = credits.filter(({ invoiceId }) => closed.has(invoiceId)).map((each) => partsOfLines(each.creditLines));
  return negativeParts(addParts(...lines));
}

/**
 * By swapping parts with a paid invoice, the cancellation may have taken more of a part off unpaid invoices than it
 * returned. The paid one stays as it is; the unpaid ones bill the other part instead.
 */
function balance(rest: Parts, slots: readonly Slot[]): void {
  for (const over of PART_NAMES) {
    for (const short of PART_NAMES) {
      for (const { parts } of slots) {
        const cents = Math.max(Math.min(0 - rest[over], rest[short], parts[over]), 0);
        parts[over] -= cents;
        parts[short] += cents;
        rest[over] += cents;
        rest[short] -= cents;
      }
    }
  }
}

function takeGap(gap: Parts, parts: Parts): void {
  for (const part of PART_NAMES) {
    const cents = Math.max(Math.min(gap[part], parts[part]), 0);
    gap[part] -= cents;
    parts[part] -= cents;
  }
}

/**
 * An invoice with nothing left to bill stays as the cancellation left it; one that was paid then but is not now takes
 * back the parts it had swapped.
 */
function restoredOn(slots: readonly Slot[], description: string): Pick<ReinstatementPlan, 'reopened' | 'restored'> {
  const plan: Pick<ReinstatementPlan, 'reopened' | 'restored'> = { reopened: [], restored: [] };
  for (const { invoice, parts, dueDate } of slots) {
    const { id: invoiceId, totalCents, lines, voided } = invoice;
    if (PART_NAMES.every((part) => parts[part] === 0) || (voided && totalOfParts(parts) === 0)) continue;
    if (!voided) plan.restored.push({ invoiceId, addedLines: linesOfParts(parts, description), dueDate });
    else {
      const moved = addParts(parts, negativeParts(partsOfLines(lines)));
      plan.reopened.push({ invoiceId, totalCents, creditLines: linesOfParts(moved, description), dueDate });
    }
  }
  return plan;
}
