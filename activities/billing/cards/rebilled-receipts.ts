// Card money in transit while a new payment plan replaced its bill.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentOutcome } from '../../../contracts/billing.ts';
import { PolicyTransaction } from '../../../db/entities/policy/policy-transaction.ts';
import { newId } from '../../../db/ids.ts';
import { countsAgainstPolicy, invoiceAmounts, invoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import { type LockedInvoice, lockForMoney } from '../../money-locks.ts';
import { type Application, persistApplication } from '../payments/applications.ts';

/**
 * The bills that receive the money, in order. If a new payment plan has replaced the bill, the policy's open bills
 * take it, earliest due date first, as far as it goes: otherwise the insured would fall past due with money in our
 * hands. Any other bill takes only its own money, and so does a replaced one if nothing is open.
 */
export async function billsThatTake(
  em: EntityManager,
  locked: LockedInvoice,
  amountCents: number,
): Promise<[LockedInvoice, ...LockedInvoice[]]> {
  const { invoice, policy } = locked;
  const replacedBy = { id: invoice.voidedBy ?? '', type: 'payment_plan' as const };
  if (invoice.voidedBy === null || (await em.count(PolicyTransaction, replacedBy)) === 0) return [locked];
  const invoices = await invoicesOfPolicy(em, policy.id);
  const open = invoices.filter((each) => {
    const amounts = invoiceAmounts(each);
    return invoiceBalance(amounts) > 0 && !amounts.uncollectible && countsAgainstPolicy(each);
  });
  const inOrder = open.toSorted((one, other) =>
    one.dueDate < other.dueDate ? -1 : Number(one.dueDate > other.dueDate),
  );
  const bills: LockedInvoice[] = [];
  let leftCents = amountCents;
  for (const { id } of inOrder) {
    const bill = leftCents > 0 ? await lockForMoney(em, id) : null;
    if (bill === null) continue;
    bills.push(bill);
    leftCents -= invoiceBalance(invoiceAmounts(bill.invoice));
  }
  const [first = locked, ...others] = bills;
  return [first, ...others];
}

/** Applies what the first bill leaves to the others; returns each application, and the remainder. */
export async function applyToOthers(
  em: EntityManager,
  unappliedCents: number,
  bills: readonly LockedInvoice[],
  application: Omit<Application, 'id' | 'appliedCents'>,
): Promise<{ applications: PaymentOutcome[]; leftCents: number }> {
  const applications: PaymentOutcome[] = [];
  let leftCents = unappliedCents;
  for (const bill of bills) {
    const appliedCents = Math.min(leftCents, invoiceBalance(invoiceAmounts(bill.invoice)));
    if (appliedCents <= 0) continue;
    applications.push(await persistApplication(em, bill, { ...application, id: newId('payment'), appliedCents }));
    leftCents -= appliedCents;
  }
  return { applications, leftCents };
}
