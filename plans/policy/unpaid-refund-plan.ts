// The plan for a refund not paid out although its policy became cheaper: its invoices bill no more than the policy
// costs. Contract 3.2 "Parts tie out".
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Payment } from '../../db/entities/billing/payment.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import type { IssuedTransaction } from '../../db/entities/policy/policy-transaction.ts';
import { TransactionBilling } from '../../db/entities/policy/transaction-billing.ts';
import { policyTransactions } from '../../db/queries/policy/policies.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { type Cents, sumCents } from '../../domain/money.ts';
import { planBillingChange } from '../../domain/policy/billing-change.ts';
import {
  addParts,
  amountsOfParts,
  negativeParts,
  type Parts,
  partsOfLines,
  takeOff,
  totalOfParts,
  writtenParts,
} from '../../domain/policy/parts.ts';
import { returnedByChange } from '../../domain/policy/unbilled.ts';
import { type BilledInvoice, billedInvoices, refundsOf } from './billing-plan.ts';
import { type ChangeBilling, noBilling } from './change-plan.ts';

/** A change that lowered the price, and how much of it has not been credited to an invoice yet. */
export interface UncreditedChange {
  transaction: IssuedTransaction;
  cents: Cents;
}

/** Reads the changes in effect that returned premium, newest first, with the uncredited amounts. */
export async function uncreditedChanges(em: EntityManager, policyId: string): Promise<UncreditedChange[]> {
  const stack = await policyTransactions(em, policyId);
  const billings = await em.find(TransactionBilling, { transactionId: { $in: stack.map(({ id }) => id) } });
  const credits = new Map(billings.map((each) => [each.transactionId, each.credits]));
  const changes = stack.flatMap((transaction) => {
    const claimed = credits.get(transaction.id);
    if (claimed === undefined || !stands(transaction, stack)) return [];
    const claimedCents = 0 - sumCents(claimed.map(({ amountCents }) => amountCents));
    return [{ transaction, cents: 0 - transaction.totalChangeCents - claimedCents }];
  });
  return changes.filter(({ cents }) => cents > 0).toReversed();
}

/** Reads the change that caused a refund, with the part not paid out. */
export async function changeOfRefund(em: EntityManager, row: Payment): Promise<UncreditedChange[]> {
  const { composition, policyTransactionId, policyId, status, appliedCents } = row;
  const stack = policyId === null || composition === null ? [] : await policyTransactions(em, policyId);
  const transaction = stack.find(({ id }) => id === policyTransactionId);
  if (transaction === undefined || composition === null) return [];
  const givenCents = status === 'failed' ? 0 : 0 - appliedCents;
  return [{ transaction, cents: totalOfParts(composition) - givenCents }];
}

/** In effect: not voided nor, if it ended coverage, reinstated. */
function stands({ id, type, sequence }: IssuedTransaction, stack: readonly IssuedTransaction[]): boolean {
  if (stack.some(({ reverses }) => reverses === id)) return false;
  return type !== 'cancellation' || !stack.some((each) => each.type === 'reinstatement' && each.sequence > sequence);
}

/** Plans how to credit the amount that a policy's invoices bill beyond its cost, `mostCents` at most. */
export async function planOverbilledCredit(
  em: EntityManager,
  policy: Readonly<Policy>,
  { mostCents, today }: { mostCents: Cents; today: BusinessDate },
): Promise<ChangeBilling> {
  const invoices = await billedInvoices(em, policy.id);
  const standing = invoices.filter(({ voided }) => !voided);
  const lines = standing.map((each) => partsOfLines(each.lines));
  const back = returnedByChange(standing.flatMap(givenByChange));
  const whole = addParts(...lines, negativeParts(back));
  const beyond = addParts(whole, negativeParts(writtenParts(policy)));
  const beyondCents = totalOfParts(beyond);
  if (beyondCents <= 0 || mostCents <= 0) return noBilling();
  const claimed = takeOff(beyond, Math.max(beyondCents - mostCents, 0));
  const plan = planBillingChange({
    ...{ change: amountsOfParts(negativeParts(claimed)), effectiveDate: today, today, invoices, written: whole },
    description: 'Return premium',
  });
  const { credits, voids, exchanges } = plan;
  return { ...noBilling(), credits, voids, exchanges, refunds: refundsOf(plan, invoices) };
}

function givenByChange({ returns }: BilledInvoice): { cents: Cents; composition: Parts }[] {
  return returns.flatMap(({ composition, appliedCents }) => {
    return composition === null ? [] : [{ cents: 0 - appliedCents, composition }];
  });
}
