// What each transaction of a policy has done to the invoices, and what a scheduled cancellation will do on its day.
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

/** A transaction with what other rows say of it. */
export interface ShownTransaction {
  row: IssuedTransaction;
  status: TransactionStatus;
  effect: BillingEffect;
  /** Of the policy: they name the invoices. */
  invoices: readonly Bill[];
}

/** Reads a policy's transactions as they are shown, those of `stack` only. */
export async function shownTransactions(
  em: EntityManager,
  policy: Readonly<Policy>,
  { stack, rows = stack, today }: { stack: IssuedTransaction[]; rows?: IssuedTransaction[]; today: BusinessDate },
): Promise<ShownTransaction[]> {
  const statuses = transactionStatuses(stack, policy, today);
  const transactionIds = rows.map(({ id }) => id);
  const kept = await em.find(TransactionBilling, { transactionId: { $in: transactionIds } });
  const effects = new Map<string, BillingEffect>(kept.map((each) => [each.transactionId, each]));
  // What began a term is shown by the lines that its invoices were made with.
  const areKept = rows.every(({ id }) => effects.has(id));
  const invoices = await (areKept ? billsOfPolicy : invoicesOfPolicy)(em, policy.id);
  // Several are scheduled where a notice for non-payment goes before a cancellation for a later day.
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

/** The invoices with which a term begins, as they were made. */
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

/** What was written off of an invoice, which had been on its bill; of a rest that was paid in part, its rest too. */
function restsOf({ id }: Bill, invoices: readonly Bill[]): Bill[] {
  const rests = invoices.filter(({ restOf }) => restOf === id);
  return [...rests, ...rests.flatMap((rest) => restsOf(rest, invoices))];
}
