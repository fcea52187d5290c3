// The invoices of a life: created, changed and refunded as a plan says.

import { isFullyPaid } from '../../../domain/billing/invoice.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { moneyOn, type PlannedInvoice } from '../../../domain/policy/billing-change.ts';
import { type ChangeLine, sumOfLines } from '../../../domain/policy/invoice-lines.ts';
import { type Parts, writtenParts } from '../../../domain/policy/parts.ts';
import type { TaxCharge } from '../../../domain/submission/taxes.ts';

export function invoiceOf(number: number, dueDate: BusinessDate, lines: ChangeLine[]): PlannedInvoice {
  return {
    id: `inv_${String(number).padStart(3, '0')}`,
    installmentNumber: number,
    dueDate,
    totalCents: sumOfLines(lines),
    paidCents: 0,
    refundedCents: 0,
    refundedBeforePaidCents: 0,
    voided: false,
    uncollectible: false,
    lines,
  };
}

/** The invoices, with lines added to one of them. */
export function changed(
  invoices: readonly PlannedInvoice[],
  id: string,
  lines: readonly ChangeLine[],
  given: Partial<PlannedInvoice>,
): PlannedInvoice[] {
  return invoices.map((each) => {
    if (each.id !== id) return each;
    return { ...each, ...given, lines: [...each.lines, ...lines], totalCents: each.totalCents + sumOfLines(lines) };
  });
}

/** Takes a refund from fully paid invoices. */
export function giveBack(invoices: readonly PlannedInvoice[], cents: number): void {
  let rest = cents;
  for (const each of invoices.filter((one) => isFullyPaid(one))) {
    const part = Math.min(rest, moneyOn(each));
    each.refundedCents += part;
    rest -= part;
  }
  if (rest > 0) throw new Error('More is refunded than was paid');
}

/** A life's cost, by part. */
export function costOf(life: { writtenCents: number; feeCents: number; taxes: TaxCharge[] }): Parts {
  return writtenParts({ ...life, grossPremiumCents: life.writtenCents, fees: feeOf(life.feeCents) });
}

export function feeOf(amountCents: number) {
  return amountCents === 0 ? [] : [{ code: 'POLICY_FEE', amountCents }];
}

export function taxLine({ code, amountCents }: TaxCharge): ChangeLine {
  return line('tax', code, amountCents);
}

export function line(kind: ChangeLine['kind'], code: string, amountCents: number): ChangeLine {
  return { kind, code, description: code, amountCents };
}
