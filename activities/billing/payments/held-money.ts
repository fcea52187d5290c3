/**
 * The insured's own money pays what is due before a demand goes out or coverage ends: unapplied money of a policy is
 * applied to its invoices that are due, the oldest first. Contract 3.2 "Delinquency", decision 0290.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentOutcome } from '../../../contracts/billing.ts';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import type { Policy } from '../../../db/entities/policy/policy.ts';
import { newId } from '../../../db/ids.ts';
import { writeNewRows } from '../../../db/new-rows.ts';
import { countsAgainstPolicy, invoiceAmounts, lockInvoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { lockReceipt } from '../../../db/queries/billing/refunds.ts';
import { heldNow, receiptsBeyondInvoices } from '../../../db/queries/billing/unapplied-cash.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { Origin } from '../../audit.ts';
import type { BusinessDay } from '../../business-day.ts';
import type { Deps } from '../../context.ts';
import { persistApplication } from './applications.ts';

interface Applying {
  origin: Omit<Origin, 'entityId'>;
  day: BusinessDay;
  /** Invoices due up to this day. */
  dueBy: BusinessDate;
}

/**
 * Applies unapplied money of a locked policy to its invoices that are due. Writes the transaction's new rows; answers
 * the applications, whose sagas must start. A saga whose start was lost is healed from its row.
 */
export async function applyHeldMoney(
  em: EntityManager,
  deps: Deps,
  policy: Policy,
  { origin, day, dueBy }: Applying,
): Promise<PaymentOutcome[]> {
  await writeNewRows(em);
  const receipts = await receiptsBeyondInvoices(em, policy.id);
  if (receipts.length === 0) return [];
  const due = dueInvoices(await lockInvoicesOfPolicy(em, policy.id), dueBy);
  const applied: PaymentOutcome[] = [];
  for (const { id } of receipts) {
    const receipt = await lockReceipt(em, id);
    let leftCents = receipt === null ? 0 : (await heldNow(em, receipt)).unappliedCents;
    for (const invoice of due) {
      const appliedCents = Math.min(leftCents, invoiceBalance(invoiceAmounts(invoice)));
      if (receipt === null || appliedCents <= 0) continue;
      leftCents -= appliedCents;
      const money = { id: newId('payment'), receipt, appliedCents, appliedOn: day.today };
      const application = { ...money, ...origin, appliedAt: new Date(deps.now()) };
      applied.push(await persistApplication(em, { policy, invoice }, application));
    }
  }
  await writeNewRows(em);
  return applied;
}

/** What makes a policy past due, the oldest first. */
function dueInvoices(invoices: readonly Invoice[], dueBy: BusinessDate): Invoice[] {
  return invoices
    .filter((invoice) => countsAgainstPolicy(invoice) && invoice.dueDate <= dueBy)
    .toSorted((a, b) => (a.dueDate < b.dueDate ? -1 : 1));
}
