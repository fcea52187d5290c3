// What a planned billing does to each invoice: shown by the preview, stored and shown with the transaction. Contract
// 3.2.
import type { Invoice } from '../../db/entities/billing/invoice.ts';
import { type Cents, sumCents } from '../../domain/money.ts';
import { byDueDate } from '../../domain/policy/billing-change.ts';
import type { BillingEffect, CreditEffect, InvoiceEffect } from '../../domain/policy/billing-effect.ts';
import { type ChangeLine, sumOfLines } from '../../domain/policy/invoice-lines.ts';
import { negativeParts, partsOfLines, totalOfParts } from '../../domain/policy/parts.ts';
import type { ChangeBilling } from './change-plan.ts';

type StandingInvoice = Pick<Invoice, 'id' | 'dueDate' | 'firstDueDate' | 'totalCents' | 'lines' | 'installmentNumber'>;

/** Sums a planned billing by invoice. `invoices` are the policy's before it is carried out. */
export function billingEffects(billing: ChangeBilling, invoices: readonly StandingInvoice[]): BillingEffect {
  const standing = byDueDate(invoices).flatMap((invoice) => effectOn(billing, invoice) ?? []);
  const made = billing.newInvoices.map(({ dueDate, lines }) => {
    const totalCents = sumOfLines(lines);
    return { invoiceId: null, dueDate, totalCents, changeCents: totalCents };
  });
  return { invoices: [...standing, ...made], credits: creditsOf(billing, invoices) };
}

/** Null for an invoice that the billing leaves alone. */
function effectOn(billing: ChangeBilling, { id, dueDate, totalCents }: StandingInvoice): InvoiceEffect | null {
  const added = billing.additions.filter(({ invoiceId }) => invoiceId === id);
  const reopened = billing.reopened.filter(({ invoiceId }) => invoiceId === id);
  const voided = billing.voids.find(({ invoiceId }) => invoiceId === id);
  const lines = [
    ...added.map(({ addedLines }) => addedLines),
    ...reopened.map(({ creditLines }) => creditLines),
    ...billing.credits.filter(({ invoiceId }) => invoiceId === id).map(({ creditLines }) => creditLines),
    ...billing.exchanges.filter(({ invoiceId }) => invoiceId === id).map((exchange) => exchange.lines),
  ];
  if (lines.length === 0 && voided === undefined) return null;
  const movedCents = sumCents(lines.map(sumOfLines));
  const revivedCents = sumCents(reopened.map((each) => each.totalCents));
  return {
    invoiceId: id,
    dueDate: [...reopened, ...added].reduce<string>((day, each) => each.dueDate ?? day, dueDate),
    totalCents: totalCents + movedCents,
    changeCents: movedCents + revivedCents - (voided === undefined ? 0 : totalCents + movedCents),
  };
}

/** What comes off invoices, voided amounts included, and what is refunded. */
function creditsOf(billing: ChangeBilling, invoices: readonly StandingInvoice[]): CreditEffect[] {
  const { credits, voids, reopened, refunds } = billing;
  const reductions = [
    ...credits.map(({ invoiceId, creditLines }) => reduced(invoiceId, creditLines)),
    ...voids.map(({ invoiceId }) => reduced(invoiceId, invoices.find(({ id }) => id === invoiceId)?.lines ?? [], -1)),
    ...reopened.map(({ invoiceId, creditLines }) => reduced(invoiceId, creditLines)),
  ];
  const returns = refunds.map(({ invoiceId, amountCents, composition }): CreditEffect => {
    return { invoiceId, kind: 'refunded', amountCents: -amountCents, parts: negativeParts(composition) };
  });
  return [...reductions.filter(({ amountCents }) => amountCents < 0), ...returns];
}

function reduced(invoiceId: string, lines: readonly ChangeLine[], sign: 1 | -1 = 1): CreditEffect {
  const parts = sign === 1 ? partsOfLines(lines) : negativeParts(partsOfLines(lines));
  const amountCents: Cents = totalOfParts(parts);
  return { invoiceId, kind: 'reduced', amountCents, parts };
}
