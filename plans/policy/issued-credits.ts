// What a policy's transactions have credited on its invoices, read from the invoices and refunds themselves: a
// scheduled cancellation bills nothing when its row is written, and the row never changes.
import type { EntityManager } from '@mikro-orm/postgresql';
import { Payment } from '../../db/entities/billing/payment.ts';
import { invoicesOfPolicy } from '../../db/queries/billing/invoices.ts';
import { type Cents, sumCents } from '../../domain/money.ts';

export interface IssuedCredit {
  invoiceId: string;
  amountCents: Cents;
}

/** Returns each transaction's credits, in negative cents, by transaction id; refunds included. */
export async function issuedCredits(em: EntityManager, policyId: string): Promise<Map<string, IssuedCredit[]>> {
  const found = new Map<string, IssuedCredit[]>();
  const add = (transactionId: string | null, invoiceId: string | null, amountCents: Cents) => {
    if (transactionId === null || invoiceId === null || amountCents >= 0) return;
    found.set(transactionId, [...(found.get(transactionId) ?? []), { invoiceId, amountCents }]);
  };
  for (const { id, lines, totalCents, voidedBy } of await invoicesOfPolicy(em, policyId)) {
    const ids = new Set(lines.flatMap(({ transactionId }) => transactionId ?? []));
    for (const transactionId of ids) {
      const added = lines.filter((line) => line.transactionId === transactionId);
      add(transactionId, id, sumCents(added.map(({ amountCents }) => amountCents)));
    }
    add(voidedBy, id, -totalCents);
  }
  const refunds = { policyId, kind: 'refund' as const, status: { $ne: 'failed' as const } };
  for (const refund of await em.find(Payment, refunds, { orderBy: { id: 'asc' } })) {
    add(refund.policyTransactionId, refund.invoiceId, refund.amountCents);
  }
  return found;
}
