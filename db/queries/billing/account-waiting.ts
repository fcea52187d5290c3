// Return premium on a policy's account that waits for approval or for the card processor: owed to the insured, less
// what was taken back from the payment it returns. Decision 0320.
import type { EntityManager } from '@mikro-orm/postgresql';
import { isWaitingReturn } from '../../../domain/billing/account/account.ts';
import type { AccountCheck, ReversedBehind } from '../../../domain/billing/account/checks.ts';
import { type Cents, sumCents } from '../../../domain/money.ts';
import type { Payment, RefundAllocation } from '../../entities/billing/payment.ts';
import { neverGoodOf, reversalsBehind } from './disbursements.ts';
import { disbursementKeptBy } from './kept-refunds.ts';
import { findPayment } from './payments.ts';
import { returnsOfReceipt } from './refunds.ts';

/** Reads the returns of a policy's payments that are waiting, each as a check that has not been issued. */
export async function waitingChecks(em: EntityManager, payments: readonly Payment[]): Promise<AccountCheck[]> {
  const spent = new Map<string, Cents>();
  const checks: AccountCheck[] = [];
  for (const row of payments.filter(isWaitingReturn)) {
    const reversed: ReversedBehind[] = [];
    for (const part of row.allocations) reversed.push(...(await takenOf(em, part, spent)));
    const { id, amountCents, receivedOn: owedOn, createdAt } = row;
    const notOwedCents = sumCents(reversed.map((each) => each.amountCents));
    const check = { id, refundId: id, cause: 'refund', amountCents: -amountCents, owedOn, createdAt } as const;
    checks.push({ ...check, moves: [], notOwedCents, reversed });
  }
  return checks;
}

/** What was taken back from a part. `spent` holds how much of each reversal other parts have already given up. */
async function takenOf(
  em: EntityManager,
  part: RefundAllocation,
  spent: Map<string, Cents>,
): Promise<ReversedBehind[]> {
  const taken: ReversedBehind[] = [];
  let restCents = part.amountCents;
  for (const { key, reversal, cents } of await takenBack(em, part)) {
    const spentCents = spent.get(key) ?? 0;
    const amountCents = Math.min(restCents, cents - spentCents);
    if (amountCents <= 0) continue;
    spent.set(key, spentCents + amountCents);
    restCents -= amountCents;
    taken.push({ id: reversal.id, at: reversal.createdAt, date: reversal.receivedOn, amountCents });
  }
  return taken;
}

interface TakenBack {
  /** The same for the same money, whichever part reserved it. */
  key: string;
  reversal: Payment;
  cents: Cents;
}

/** What operating money covers because it was reserved when the payment, or the one it came from, was taken back. */
async function takenBack(em: EntityManager, { paymentId }: RefundAllocation): Promise<TakenBack[]> {
  const payment = await findPayment(em, paymentId);
  const source = payment?.sourcePaymentId ? await findPayment(em, payment.sourcePaymentId) : null;
  const found: TakenBack[] = [];
  for (const receipt of [payment, source]) {
    if (receipt === null) continue;
    const kept = await disbursementKeptBy(em, receipt);
    const [behind] = kept === null ? [] : await reversalsBehind(em, kept);
    if (kept !== null && behind !== undefined) {
      found.push({ key: kept.id, reversal: behind.reversal, cents: await neverGoodOf(em, kept) });
    }
    const returns = (await returnsOfReceipt(em, receipt)).filter(({ kind }) => kind !== 'refund');
    found.push(...returns.map((reversal) => ({ key: reversal.id, reversal, cents: reversal.coveredCents })));
  }
  return found;
}
