// Renewal offers: with the flag `renewal_requires_payment` a next term takes hold only once its first invoice is paid.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { isFlagOn } from '../../db/queries/platform/flags.ts';
import { organizationOf } from '../../db/scope.ts';
import type { BusinessDate } from '../../domain/dates.ts';

/**
 * Whether a term is still an offer: a next term that owes its first invoice before any other, and has never paid it.
 * An invoice once paid and owed again, after a chargeback, does not end a term as not taken. The flag's current value
 * counts.
 */
export async function isUnpaidOffer(
  em: EntityManager,
  { id, renewalOf }: Readonly<Policy>,
  unpaid: readonly { id: string; dueDate: BusinessDate; installmentNumber: number }[],
): Promise<boolean> {
  if (renewalOf === null || !(await isFlagOn(em, 'renewal_requires_payment', id))) return false;
  const [earliest] = unpaid.toSorted((a, b) =>
    a.dueDate === b.dueDate ? a.installmentNumber - b.installmentNumber : a.dueDate < b.dueDate ? -1 : 1,
  );
  return earliest !== undefined && isNeverPaidFirst(em, earliest.id);
}

/**
 * Money on a fully paid invoice is shared out; the entry stays if the payment is reversed. A new payment plan's first
 * bill counts as the first invoice, unless the term has already paid one under either plan.
 */
async function isNeverPaidFirst(em: EntityManager, invoiceId: string): Promise<boolean> {
  const [row] = await em.execute<{ found: boolean }[]>(
    `select true as found from invoices i
     join policy_transactions t on t.org_id = i.org_id and t.id = i.transaction_id
       and (t.sequence = 1 or t.type = 'payment_plan')
     where i.org_id = ? and i.id = ? and i.installment_number = 1 and not exists (
       select 1 from invoices paid
       join ledger_entries e on e.org_id = paid.org_id and e.invoice_id = paid.id
       where paid.org_id = i.org_id and paid.policy_id = i.policy_id
         and (paid.id = i.id or t.type = 'payment_plan')
         and e.entry_type = 'split' and e.source_type = 'invoice')`,
    [organizationOf(em), invoiceId],
  );
  return row !== undefined;
}
