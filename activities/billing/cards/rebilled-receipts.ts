// Money by card that was under way while another payment plan replaced its bill.
import type { EntityManager } from '@mikro-orm/postgresql';
import { PolicyTransaction } from '../../../db/entities/policy/policy-transaction.ts';
import { invoiceAmounts, invoicesOfPolicy, isReturnedPaymentFee } from '../../../db/queries/billing/invoices.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import { type LockedInvoice, lockForMoney } from '../../money-locks.ts';

/**
 * The bill that takes the money: of one that another payment plan has replaced, the first due of its policy that is
 * open. Otherwise the insured would fall behind with money in our hands. Any other bill is its own, and so is the last
 * one when nothing is open.
 */
export async function billThatTakes(em: EntityManager, locked: LockedInvoice): Promise<LockedInvoice> {
  const { invoice, policy } = locked;
  const replacedBy = { id: invoice.voidedBy ?? '', type: 'payment_plan' as const };
  if (invoice.voidedBy === null || (await em.count(PolicyTransaction, replacedBy)) === 0) return locked;
  const invoices = await invoicesOfPolicy(em, policy.id);
  const open = invoices.filter((each) => {
    const amounts = invoiceAmounts(each);
    return invoiceBalance(amounts) > 0 && !amounts.uncollectible && !each.disputed && !isReturnedPaymentFee(each);
  });
  const [first] = open.toSorted((one, other) =>
    one.dueDate < other.dueDate ? -1 : Number(one.dueDate > other.dueDate),
  );
  return first === undefined ? locked : ((await lockForMoney(em, first.id)) ?? locked);
}
