/**
 * What the card processor collected and returned over a period, from its own lists: charges, refunds and dispute
 * movements, reduced to what the books are reconciled with. No card data leaves this file.
 */
import type Stripe from 'stripe';
import type { ListedMovement } from '../ports.ts';

const PAGE = 100;

/** Lists successful charges, refunds and dispute movements, from an instant up to but excluding another. */
export async function listStatement(stripe: Stripe, from: Date, to: Date): Promise<ListedMovement[]> {
  const created = { gte: secondsOf(from), lt: secondsOf(to) };
  const lines: ListedMovement[] = [];
  for await (const charge of stripe.charges.list({ created, limit: PAGE })) {
    if (charge.paid && charge.captured) lines.push(chargeLine(charge));
  }
  for await (const refund of stripe.refunds.list({ created, limit: PAGE })) lines.push(refundLine(refund));
  const moves = { created, type: 'adjustment', limit: PAGE, expand: ['data.source'] };
  for await (const move of stripe.balanceTransactions.list(moves)) {
    if (isOfDispute(move.source)) lines.push(disputeLine(move, move.source));
  }
  return lines;
}

function chargeLine({ id, payment_intent, amount_captured, created, metadata }: Stripe.Charge): ListedMovement {
  return {
    ...{ processorId: id, kind: 'charge', intentId: idOf(payment_intent), amountCents: amount_captured },
    ...{ occurredAt: new Date(created * 1000), orgId: metadata.orgId ?? null },
  };
}

/** A failed refund returned nothing. */
function refundLine({ id, payment_intent, amount, status, created, metadata }: Stripe.Refund): ListedMovement {
  const isVain = status === 'failed' || status === 'canceled';
  return {
    ...{ processorId: id, kind: 'refund', intentId: idOf(payment_intent), amountCents: isVain ? 0 : amount },
    ...{ occurredAt: new Date(created * 1000), orgId: metadata?.orgId ?? null },
  };
}

function isOfDispute(source: Stripe.BalanceTransaction['source']): source is Stripe.Dispute {
  return source !== null && typeof source === 'object' && source.object === 'dispute';
}

/** The movement, since a dispute's status keeps changing for months; it has no metadata of ours. */
function disputeLine({ id, amount, created }: Stripe.BalanceTransaction, dispute: Stripe.Dispute): ListedMovement {
  return {
    ...{ processorId: id, kind: amount < 0 ? 'dispute' : 'dispute_reversal', amountCents: Math.abs(amount) },
    ...{ intentId: idOf(dispute.payment_intent), occurredAt: new Date(created * 1000), orgId: null },
  };
}

function idOf(intent: string | { id: string } | null): string {
  return typeof intent === 'string' ? intent : (intent?.id ?? '');
}

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
