/**
 * The insured's own money pays what is due before a demand goes out or coverage ends: first unapplied money of the
 * policy and its earlier terms, then return premium whose check has not been issued. It goes to the policy's due
 * invoices, oldest first. Contract 3.2 "Delinquency", decision 0290.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentOutcome } from '../../../contracts/billing.ts';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import type { Policy } from '../../../db/entities/policy/policy.ts';
import { newId } from '../../../db/ids.ts';
import { writeNewRows } from '../../../db/new-rows.ts';
import { receiptInDispute } from '../../../db/queries/billing/disbursements.ts';
import { countsAgainstPolicy, invoiceAmounts, lockInvoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { lockReceipt } from '../../../db/queries/billing/refunds.ts';
import { heldNow, receiptsBeyondInvoices } from '../../../db/queries/billing/unapplied-cash.ts';
import { undisputedCents } from '../../../domain/billing/dispute.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { sumCents } from '../../../domain/money.ts';
import type { BusinessDay } from '../../../plans/platform/business-day.ts';
import { termsThrough } from '../../../plans/renewal/term-chain.ts';
import type { Origin } from '../../audit.ts';
import type { Deps } from '../../context.ts';
import { keepForPolicy } from '../disbursements/kept.ts';
import { persistApplication } from './applications.ts';

interface Applying {
  origin: Omit<Origin, 'entityId'>;
  day: BusinessDay;
  /** Invoices due up to this day. */
  dueBy: BusinessDate;
  /** Whether return premium whose check is not issued pays too. */
  takesBackChecks: boolean;
}

/**
 * Applies a locked policy's money to its due invoices. Writes the transaction's new rows; returns the applications,
 * whose sagas must start. A saga whose start was lost is healed from its row.
 */
export async function applyHeldMoney(
  em: EntityManager,
  deps: Deps,
  policy: Policy,
  { origin, day, dueBy, takesBackChecks }: Applying,
): Promise<PaymentOutcome[]> {
  await writeNewRows(em);
  const due = dueInvoices(await lockInvoicesOfPolicy(em, policy.id), dueBy);
  const unapplied = await applyUnapplied(em, deps, { policy, origin, day }, due);
  const shortCents = sumCents(due.map((invoice) => invoiceBalance(invoiceAmounts(invoice))));
  if (shortCents === 0 || !takesBackChecks) return unapplied;
  const keeping = { ...origin, amountCents: shortCents, reason: 'Applied to what was due', today: day.today };
  const kept = await keepForPolicy(em, deps, policy.id, keeping);
  if (kept.length === 0) return unapplied;
  await writeNewRows(em);
  return [...unapplied, ...kept, ...(await applyUnapplied(em, deps, { policy, origin, day }, due))];
}

async function applyUnapplied(
  em: EntityManager,
  deps: Deps,
  { policy, origin, day }: { policy: Policy } & Pick<Applying, 'origin' | 'day'>,
  due: readonly Invoice[],
): Promise<PaymentOutcome[]> {
  const terms = await termsThrough(em, policy.id);
  const receipts = await receiptsBeyondInvoices(
    em,
    terms.map(({ id }) => id),
  );
  const applied: PaymentOutcome[] = [];
  for (const { id } of receipts) {
    const receipt = await lockReceipt(em, id);
    if (receipt === null) continue;
    let leftCents = undisputedCents((await heldNow(em, receipt)).unappliedCents, await receiptInDispute(em, receipt));
    for (const invoice of due) {
      const appliedCents = Math.min(leftCents, invoiceBalance(invoiceAmounts(invoice)));
      if (appliedCents <= 0) continue;
      leftCents -= appliedCents;
      const money = { id: newId('payment'), receipt, appliedCents, appliedOn: day.today };
      const application = { ...money, ...origin, appliedAt: new Date(deps.now()) };
      applied.push(await persistApplication(em, { policy, invoice }, application));
    }
  }
  await writeNewRows(em);
  return applied;
}

/** The invoices that make a policy past due, oldest first; written-off ones excluded. */
function dueInvoices(invoices: readonly Invoice[], dueBy: BusinessDate): Invoice[] {
  return invoices
    .filter((bill) => bill.dueDate <= dueBy && bill.uncollectibleAt === null && countsAgainstPolicy(bill))
    .toSorted((a, b) => (a.dueDate < b.dueDate ? -1 : 1));
}
