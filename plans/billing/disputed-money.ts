// The insured's own money that must not be used while a bank decides about the card payment it came from. Decision
// 0315.
import type { EntityManager } from '@mikro-orm/postgresql';
import { Payment } from '../../db/entities/billing/payment.ts';
import { readRows } from '../../db/plain-table.ts';
import { disbursementsToKeep, inDispute, receiptInDispute } from '../../db/queries/billing/disbursements.ts';
import { heldNow, receiptsBeyondInvoices } from '../../db/queries/billing/unapplied-cash.ts';
import type { Cents } from '../../domain/money.ts';
import { termsThrough } from '../renewal/term-chain.ts';

/**
 * Reads how much money would pay what a policy owes but for an open dispute: unapplied money of its terms, and return
 * premium owed by check.
 */
export async function heldInDispute(em: EntityManager, policyId: string): Promise<Cents> {
  if (!(await hasOpenDispute(em))) return 0;
  const terms = await termsThrough(em, policyId);
  const receipts = await receiptsBeyondInvoices(
    em,
    terms.map(({ id }) => id),
  );
  let heldCents = 0;
  for (const receipt of receipts) {
    const { cents } = await receiptInDispute(em, receipt);
    if (cents > 0) heldCents += Math.min(cents, (await heldNow(em, receipt)).unappliedCents);
  }
  for (const row of await disbursementsToKeep(em, policyId)) {
    const { cents } = await inDispute(em, row);
    if (cents > 0) heldCents += row.amountCents - row.cancelledCents;
  }
  return heldCents;
}

/** Says whether any of the organization's money is in dispute: usually none is, and nothing else need be read. */
export async function hasOpenDispute(em: EntityManager): Promise<boolean> {
  const open = `org_id = $1 and kind = 'chargeback' and status = 'succeeded' and dispute->>'outcome' = 'open' limit 1`;
  return (await readRows(em, Payment, open, [])).length > 0;
}
