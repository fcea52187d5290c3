// What a policy change does to invoices, in dollars, for transactions and previews. Pure. Contract 3.2.
import { toDollars } from '../../../domain/money.ts';
import type { BillingEffect, CreditEffect } from '../../../domain/policy/billing-effect.ts';
import type { ChangedInvoiceWire, CreditWire } from './policies.schemas.ts';

/** `invoices` are the existing ones. */
export function effectToWire(
  effect: BillingEffect,
  invoices: readonly { id: string; invoiceNumber: string }[],
): { invoices: ChangedInvoiceWire[]; credits: CreditWire[] } {
  const numbers = new Map(invoices.map(({ id, invoiceNumber }) => [id, invoiceNumber]));
  return {
    invoices: effect.invoices.map(({ invoiceId: id, dueDate, totalCents, changeCents }) => {
      const invoiceNumber = id === null ? null : (numbers.get(id) ?? null);
      return { id, invoiceNumber, dueDate, total: toDollars(totalCents), change: toDollars(changeCents) };
    }),
    credits: effect.credits.map(creditToWire),
  };
}

function creditToWire({ invoiceId, kind, amountCents, parts }: CreditEffect): CreditWire {
  return {
    ...{ invoiceId, kind, amount: toDollars(amountCents) },
    parts: parts && {
      premium: toDollars(parts.premiumCents),
      fee: toDollars(parts.feeCents),
      tax: toDollars(parts.taxCents),
      stampingFee: toDollars(parts.stampingCents),
    },
  };
}
