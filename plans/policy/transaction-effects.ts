// What each of a policy's transactions did to the invoices, and what a scheduled cancellation will do on its day.
// Contract 3.2.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import type { IssuedTransaction } from '../../db/entities/policy/policy-transaction.ts';
import { TransactionBilling } from '../../db/entities/policy/transaction-billing.ts';
import { type Bill, billsOfPolicy, invoicesOfPolicy, isReturnedPaymentFee } from '../../db/queries/billing/invoices.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import type { BillingEffect } from '../../domain/policy/billing-effect.ts';
import { sumOfLines } from '../../domain/policy/invoice-lines.ts';
import { type TransactionStatus, transactionStatuses } from '../../domain/policy/stack.ts';
import { billingEffects } from './billing-effects.ts';
import { planAnnouncedDay } from './cancellation-plan.ts';

/** A transaction with related data from other rows. */
export interface ShownTransaction {
  row: IssuedTransaction;
  status: TransactionStatus;
  effect: BillingEffect;
  /** The policy's bills, to name the invoices. */
  invoices: readonly Bill[];
}

/** Reads a policy's transactions for display, only those in `rows`. */
export async function shownTransactions(
  em: EntityManager,
  policy: Readonly<Policy>,
  { stack, rows = stack, today }: { stack: IssuedTransaction[]; rows?: IssuedTransaction[]; today: BusinessDate },
): Promise<ShownTransaction[]> {
  const statuses = transactionStatuses(stack, policy, today);
  const transactionIds = rows.map(({ id }) => id);
  const kept = await em.find(TransactionBilling, { transactionId: { $in: transactionIds } });
  const effects = new Map<string, BillingEffect>(kept.map((each) => [each.transactionId, each]));
  // A transaction that began a term is shown with its invoices' original lines.
  const areKept = rows.every(({ id }) => effects.has(id));
  const invoices = await (areKept ? billsOfPolicy : invoicesOfPolicy)(em, policy.id);
  // Several may be scheduled if a non-payment notice precedes a cancellation on a later day.
  for (const row of rows) {
    if (row.type !== 'cancellation' || statuses.get(row.id) !== 'scheduled') continue;
    const plan = await planAnnouncedDay(em, policy, { cancellation: row, today });
    effects.set(row.id, billingEffects(plan.billing, invoices));
  }
  return rows.map((row) => {
    const effect = effects.get(row.id) ?? { invoices: madeBy(row, invoices), credits: [] };
    return { row, status: statuses.get(row.id) ?? 'issued', effect, invoices };
  });
}

/** A term's first invoices, as originally made. */
function madeBy({ id }: IssuedTransaction, invoices: readonly Bill[]): BillingEffect['invoices'] {
  const made = invoices.filter(
    (each) =>
      each.transactionId === id && each.reissueOf === null && each.restOf === null && !isReturnedPaymentFee(each),
  );
  return made.map((invoice) => {
    const lines = [invoice, ...restsOf(invoice, invoices)].flatMap((each) => each.lines);
    const totalCents = sumOfLines(lines.filter((line) => line.transactionId === undefined));
    return { invoiceId: invoice.id, dueDate: invoice.dueDate, totalCents, changeCents: totalCents };
  });
}

/** The written-off rests of an invoice, once part of its bill; if a rest was partly paid, its own rest too. */
function restsOf({ id }: Bill, invoices: readonly Bill[]): Bill[] {
  const rests = invoices.filter(({ restOf }) => restOf === id);
  return [...rests, ...rests.flatMap((rest) => restsOf(rest, invoices))];
}
