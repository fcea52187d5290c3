// How the void of an endorsement reaches the invoices: each unpaid invoice that the endorsement increased is reduced
// by the same amount, so that the installments are what they were. The rest (already paid, or due to the repricing of
// later endorsements) is billed or returned like any other change. A plan only. Contract 3.2.
import { invoiceBalance } from '../billing/invoice.ts';
import type { Cents } from '../money.ts';
import { type BillingPlan, byDueDate, type PlannedInvoice } from './billing-change.ts';
import { sumOfLines } from './invoice-lines.ts';
import {
  addParts,
  linesOfParts,
  NO_PARTS,
  negativeParts,
  PART_NAMES,
  type Parts,
  partsOfLines,
  totalOfParts,
} from './parts.ts';

/** An invoice, with what the endorsement bills on it. */
export interface EndorsedInvoice extends PlannedInvoice {
  endorsed: Parts;
}

/** The first half of the plan, what it takes off by part, and the invoices after it. */
export interface TakenBack<T extends PlannedInvoice> {
  plan: Pick<BillingPlan, 'credits' | 'voids'>;
  taken: Parts;
  invoices: T[];
}

/** Takes an endorsement's own lines off the unpaid invoices that carry them, at most `wanted` of each part. */
export function takeLinesBack<T extends EndorsedInvoice>(
  wanted: Readonly<Parts>,
  invoices: readonly T[],
  description: string,
): TakenBack<T> {
  const found: TakenBack<T> = { plan: { credits: [], voids: [] }, taken: { ...NO_PARTS }, invoices: [] };
  for (const invoice of byDueDate(invoices).reverse()) {
    const left = addParts(wanted, negativeParts(found.taken));
    const parts = takenFrom(invoice, left);
    const cents = totalOfParts(parts);
    found.taken = addParts(found.taken, parts);
    found.invoices.push(cents === 0 ? invoice : without(found.plan, invoice, { parts, cents, description }));
  }
  return found;
}

function takenFrom(invoice: EndorsedInvoice, left: Readonly<Parts>): Parts {
  const parts = { ...NO_PARTS };
  if (invoice.voided) return parts;
  const held = addParts(partsOfLines(invoice.lines), negativeParts(invoice.returned ?? NO_PARTS));
  let roomCents = invoiceBalance(invoice);
  for (const part of PART_NAMES.toReversed()) {
    parts[part] = Math.max(Math.min(left[part], invoice.endorsed[part], held[part], roomCents), 0);
    roomCents -= parts[part];
  }
  return parts;
}

/** Plans what comes off an invoice, and returns the invoice after it. */
function without<T extends EndorsedInvoice>(
  plan: TakenBack<T>['plan'],
  invoice: T,
  { parts, cents, description }: { parts: Parts; cents: Cents; description: string },
): T {
  const { id: invoiceId, totalCents } = invoice;
  if (cents === totalCents) {
    plan.voids.push({ invoiceId, totalCents });
    return { ...invoice, voided: true };
  }
  const creditLines = linesOfParts(negativeParts(parts), description);
  plan.credits.push({ invoiceId, creditLines });
  return { ...invoice, totalCents: totalCents - cents, lines: [...invoice.lines, ...creditLines] };
}

/** Joins the two halves: an invoice credited by both is credited once, and one voided by the second is void. */
export function joinPlans(
  first: Pick<BillingPlan, 'credits' | 'voids'>,
  second: Pick<BillingPlan, 'credits' | 'voids'>,
): Pick<BillingPlan, 'credits' | 'voids'> {
  const voids = second.voids.map(({ invoiceId, totalCents }) => {
    const earlier = first.credits.find((each) => each.invoiceId === invoiceId);
    return { invoiceId, totalCents: totalCents - sumOfLines(earlier?.creditLines ?? []) };
  });
  const isVoid = (invoiceId: string) => voids.some((each) => each.invoiceId === invoiceId);
  const again = (invoiceId: string) => second.credits.find((each) => each.invoiceId === invoiceId);
  const kept = first.credits.filter(({ invoiceId }) => !isVoid(invoiceId) && again(invoiceId) === undefined);
  const grown = second.credits.map((credit) => {
    const earlier = first.credits.find(({ invoiceId }) => invoiceId === credit.invoiceId);
    return { ...credit, creditLines: [...(earlier?.creditLines ?? []), ...credit.creditLines] };
  });
  return { credits: [...kept, ...grown], voids: [...first.voids, ...voids] };
}
