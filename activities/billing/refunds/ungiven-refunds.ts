/**
 * What a policy change owes and its refund does not give, because it was declined or rejected: where the invoice is
 * payable again, since a payment of it was never good, that much less is payable. The rest stays owed. Contract 3.2,
 * 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { writeNewRows } from '../../../db/new-rows.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { invoiceBalance, isFullyPaid } from '../../../domain/billing/invoice.ts';
import { addParts, linesOfParts, negativeParts, type Parts, totalOfParts } from '../../../domain/policy/parts.ts';
import { returnedByChange } from '../../../domain/policy/unbilled.ts';
import { auditOf, type Origin } from '../../audit.ts';
import { businessDay } from '../../business-day.ts';
import type { Deps } from '../../context.ts';
import type { LockedInvoice } from '../../money-locks.ts';
import { shareOut } from '../invoices/settled-invoices.ts';

/**
 * Credits a locked invoice with what a refund for a policy change, declined or rejected, does not give. Answers what is
 * still owed in money, in cents; zero for any other refund.
 */
export async function creditUngiven(
  em: EntityManager,
  deps: Deps,
  row: Payment,
  { locked, origin }: { locked: LockedInvoice | null; origin: Omit<Origin, 'entityId'> },
): Promise<number> {
  const { composition, policyTransactionId: transactionId } = row;
  if (locked === null || composition === null || transactionId === null) return 0;
  await em.flush();
  const { invoice } = locked;
  const givenCents = row.status === 'failed' ? 0 : -row.appliedCents;
  const ungiven = addParts(composition, negativeParts(returnedByChange([{ cents: givenCents, composition }])));
  const ungivenCents = totalOfParts(ungiven);
  const cents = Math.min(ungivenCents, invoiceBalance(invoiceAmounts(invoice)));
  if (cents > 0) {
    const parts = returnedByChange([{ cents, composition: ungiven }]);
    const before = factsOf(invoice);
    credit(invoice, { parts, transactionId, at: new Date(deps.now()) });
    const changes = auditedChanges(before, factsOf(invoice));
    writeAudit(em, auditOf({ ...origin, entityId: invoice.id }, 'invoice:adjust', 'invoice', changes));
    await em.flush();
    // The release of the money may have taken the invoice out of the shares in this transaction.
    await writeNewRows(em);
    const { today } = await businessDay(em, row.orgId, deps.now());
    if (invoice.voidedAt === null && isFullyPaid(invoiceAmounts(invoice))) await shareOut(em, invoice, today);
  }
  return ungivenCents - cents;
}

/** As the change itself would have: an invoice with nothing left is void. */
function credit(
  invoice: Invoice,
  { parts, transactionId, at }: { parts: Parts; transactionId: string; at: Date },
): void {
  const cents = totalOfParts(parts);
  if (cents === invoice.totalCents) {
    invoice.voidedAt = at;
    invoice.voidedBy = transactionId;
    return;
  }
  const lines = linesOfParts(negativeParts(parts), 'Return premium').map((line) => ({ ...line, transactionId }));
  invoice.lines = [...invoice.lines, ...lines];
  invoice.totalCents -= cents;
}

function factsOf({ totalCents, voidedAt }: Invoice) {
  return { totalCents, voidedAt: voidedAt?.toISOString() ?? null };
}
