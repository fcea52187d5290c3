/**
 * Payouts as the card processor reports them: a payout and the balance movements it settles, reduced to what is
 * needed to post the books. No card data leaves this file.
 */
import Stripe from 'stripe';
import {
  PAYOUT_CURRENCY,
  type PayoutMovement,
  type ProcessorPayout,
  withFeesApart,
} from '../../domain/billing/card-payout.ts';

const PAGE = 100;
const DAY_LENGTH = 'YYYY-MM-DD'.length;

/** Reads a payout and what it settles; null if the processor does not know it. */
export async function readPayout(stripe: Stripe, payoutId: string): Promise<ProcessorPayout | null> {
  const payout = await stripe.payouts.retrieve(payoutId).catch(nullIfUnknown);
  if (payout === null) return null;
  const { id, status, automatic, amount, currency, arrival_date, trace_id = null } = payout;
  // The processor does not list what a manual payout settles.
  const transactions = automatic ? await transactionsOf(stripe, payoutId) : [];
  const currencies = [currency, ...transactions.map((transaction) => transaction.currency)];
  return {
    ...{ payoutId: id, status, amountCents: amount, trace: trace_id?.value ?? null },
    arrivesOn: instantOf(arrival_date).slice(0, DAY_LENGTH),
    currency: currencies.find((other) => other !== PAYOUT_CURRENCY) ?? PAYOUT_CURRENCY,
    movements: transactions.map(movementOf),
  };
}

async function transactionsOf(stripe: Stripe, payoutId: string): Promise<Stripe.BalanceTransaction[]> {
  const transactions: Stripe.BalanceTransaction[] = [];
  const listed = { payout: payoutId, limit: PAGE, expand: ['data.source'] };
  for await (const transaction of stripe.balanceTransactions.list(listed)) {
    // The list includes the payout's own movement.
    if (transaction.type !== 'payout') transactions.push(transaction);
  }
  return transactions;
}

function nullIfUnknown(error: unknown): null {
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return null;
  throw error;
}

/** Lists the payouts made from the first instant up to but excluding the second. */
export async function listPayouts(stripe: Stripe, from: Date, to: Date): Promise<string[]> {
  const created = { gte: Math.floor(from.getTime() / 1000), lt: Math.floor(to.getTime() / 1000) };
  const ids: string[] = [];
  for await (const { id } of stripe.payouts.list({ created, limit: PAGE })) ids.push(id);
  return ids;
}

/** What shows whose a source is: our metadata on charges and refunds, only the intent on disputes. */
interface Source {
  id: string;
  object: string;
  payment_intent?: string | { id: string } | null;
  metadata?: Record<string, string> | null;
}

function movementOf({ id, type, amount, fee, created, source }: Stripe.BalanceTransaction): PayoutMovement {
  const from = typeof source === 'string' ? { id: source, object: '' } : (source as Source | null);
  const intent = from?.payment_intent ?? null;
  return {
    ...withFeesApart({ type, amountCents: amount, feeCents: fee }),
    ...{ transactionId: id, sourceId: from?.id ?? null },
    intentId: typeof intent === 'string' ? intent : (intent?.id ?? null),
    orgId: from?.metadata?.orgId ?? null,
    failedPayoutId: from?.object === 'payout' ? from.id : null,
    occurredAt: instantOf(created),
  };
}

function instantOf(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString();
}
