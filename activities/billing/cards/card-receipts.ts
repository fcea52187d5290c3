/**
 * Money that the card processor has captured. It is always recorded and applied as far as its invoice can take it; the
 * rest is held unapplied and raises an alert. Runs inside the event's transaction. Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentOutcome } from '../../../contracts/billing.ts';
import { newId } from '../../../db/ids.ts';
import { cardPayment, intentsOf } from '../../../db/queries/billing/payments.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { toDollars } from '../../../domain/money.ts';
import type { ActorRef } from '../../../domain/permissions.ts';
import { businessDay } from '../../business-day.ts';
import type { Deps } from '../../context.ts';
import { type LockedInvoice, lockForMoney } from '../../money-locks.ts';
import { openAttempts, paymentOutcome, persistReceipt } from '../payments/receipt-rows.ts';
import { billThatTakes } from './rebilled-receipts.ts';

/** The actor when the processor reports a change. */
export const CARD_PROCESSOR: ActorRef = { kind: 'machine', id: 'card-processor', role: 'superadmin' };

/** The money in a signed `payment_intent.succeeded`. */
export interface CardReceipt {
  orgId: string;
  intentId: string;
  chargeId: string | null;
  amountCents: number;
  /** Null when the event names no invoice of the organization. */
  invoiceId: string | null;
  /** Unix seconds. */
  createdAt: number;
}

/**
 * Records a payment intent's money in the caller's transaction, once per intent. `known` is true when it was already
 * recorded.
 */
export async function recordCardReceipt(
  em: EntityManager,
  deps: Deps,
  receipt: CardReceipt,
): Promise<PaymentOutcome & { known: boolean }> {
  const named = receipt.invoiceId === null ? null : await lockForMoney(em, receipt.invoiceId);
  const earlier = await cardPayment(em, receipt.intentId);
  if (earlier !== null) {
    const { invoiceId } = earlier;
    const taker = invoiceId === null || invoiceId === named?.invoice.id ? named : await lockForMoney(em, invoiceId);
    return { ...paymentOutcome(earlier, taker), ...(await openAttempts(em, earlier)), known: true };
  }
  await markSucceeded(em, receipt, named);
  const locked = named && (await billThatTakes(em, named));
  const day = await businessDay(em, receipt.orgId, deps.now());
  const outcome = await persistReceipt(em, locked, {
    paymentId: newId('payment'),
    kind: 'card',
    method: 'card',
    reference: receipt.intentId,
    amountCents: receipt.amountCents,
    chargeId: receipt.chargeId,
    receivedAt: new Date(Math.min(receipt.createdAt * 1000, deps.now())),
    receivedOn: day.today,
    recordedAt: new Date(deps.now()),
    actor: CARD_PROCESSOR,
    requestId: null,
  });
  if (outcome.unappliedCents > 0) raiseUnapplied(em, receipt, outcome, new Date(deps.now()));
  return { ...outcome, known: false };
}

/** Marks our own attempt that brought the money in, if there is one. */
async function markSucceeded(em: EntityManager, receipt: CardReceipt, locked: LockedInvoice | null): Promise<void> {
  if (locked === null) return;
  const attempts = await intentsOf(em, locked.invoice.id);
  const attempt = attempts.find(({ processorId }) => processorId === receipt.intentId);
  if (attempt) attempt.status = 'succeeded';
}

/** Somebody must attribute unapplied money. Contract 3.4. */
function raiseUnapplied(em: EntityManager, receipt: CardReceipt, outcome: PaymentOutcome, at: Date): void {
  const { paymentId, invoiceId, unappliedCents } = outcome;
  const message =
    invoiceId === null
      ? 'A card payment matches no invoice. The money is held as unapplied cash.'
      : 'A card payment exceeds what its invoice could take. The excess is held as unapplied cash.';
  const amount = toDollars(unappliedCents);
  const facts = { paymentId, invoiceId, reference: receipt.intentId, amount, workflowId: null };
  writeEvent(
    em,
    'financial.operation_failed',
    { severity: 'critical', requiresManualReview: true, operation: 'payment.unapplied', message, ...facts },
    at,
  );
}
