/**
 * Money that the card processor has given back. It tells of the sum for a charge, not of the single refund: what we asked for ourselves
 * is in that sum, so only the difference to what is known here is recorded. Runs inside the transaction of the event. Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '../db/ids.ts';
import { cardPayment } from '../db/queries/payments.ts';
import { heldBy, returnedFrom, unappliedPart } from '../domain/refund.ts';
import { businessDay } from './business-day.ts';
import { CARD_PROCESSOR } from './card-receipts.ts';
import type { Deps } from './context.ts';
import type { RefundOutcome } from './messages-money.ts';
import {
  giveBack,
  type LockedReceipt,
  lockReturning,
  persistReturn,
  raiseAlert,
  refundOutcome,
} from './refund-rows.ts';

/** What a signed `charge.refunded` says of the money. */
export interface CardRefundNotice {
  orgId: string;
  intentId: string;
  chargeId: string | null;
  /** All that was given back of the charge so far. */
  refundedCents: number;
  /** Unix seconds. */
  createdAt: number;
}

/**
 * Records in the caller's transaction what the processor has given back beyond what is known here. Answers that refund; where nothing
 * is new (`known`), the refund by which that sum was reached. Null when there is no such payment, or nothing was given back. The caller
 * starts the saga of the refund; starting it for a known one too does no harm.
 */
export async function recordCardRefund(
  em: EntityManager,
  deps: Deps,
  notice: CardRefundNotice,
): Promise<(RefundOutcome & { known: boolean }) | null> {
  const found = await cardPayment(em, notice.intentId);
  if (found === null) return null;
  const returning = await lockReturning(em, found);
  const { receipt, locked, returns } = returning;
  receipt.processorRefundedCents = Math.max(receipt.processorRefundedCents, notice.refundedCents);
  receipt.chargeId ??= notice.chargeId;
  const recorded = await recordProcessorRefund(em, deps, returning, {
    ...notice,
    at: new Date(notice.createdAt * 1000),
  });
  if (recorded !== null) return { ...recorded, known: false };
  const reached = returnThatReached(notice.refundedCents, receipt.id, returns);
  return reached && { ...refundOutcome(reached, locked), known: true };
}

/**
 * Records what the processor gave back of a receipt beyond the refunds that are known or on their way; null when there is nothing. Also
 * asked when a refund on its way has failed, since until then it stood for what the processor told of.
 */
export async function recordProcessorRefund(
  em: EntityManager,
  deps: Deps,
  { receipt, locked, returns }: LockedReceipt,
  { orgId, at }: { orgId: string; at: Date },
): Promise<RefundOutcome | null> {
  const amountCents = receipt.processorRefundedCents - knownRefunds(receipt.id, returns);
  if (amountCents <= 0) return null;
  const held = heldBy(receipt, returns);
  const appliedCents = amountCents - unappliedPart(held, amountCents);
  const id = newId('refund');
  const row = persistReturn(em, deps, locked, {
    ...{ id, kind: 'refund', status: 'succeeded', amountCents, appliedCents, method: 'card', reference: id, at },
    allocations: [{ paymentId: receipt.id, amountCents, method: 'card', processorRefundId: null }],
    on: (await businessDay(em, orgId, deps.now())).today,
    reason: 'Refunded at the card processor.',
    actor: CARD_PROCESSOR,
    requestId: null,
  });
  if (locked !== null) giveBack(locked.invoice, row);
  if (amountCents > held.appliedCents + held.unappliedCents) {
    const message = 'The card processor refunded more than the payment held.';
    const alert = { operation: 'refund.excess', message, paymentId: row.id, invoiceId: row.invoiceId };
    raiseAlert(em, deps, { ...alert, reference: receipt.reference, amountCents });
  }
  return refundOutcome(row, locked);
}

type Returns = LockedReceipt['returns'];

/** A chargeback is none of the processor's refunds. */
function knownRefunds(receiptId: string, returns: Returns): number {
  const refunds = returns.filter(({ kind }) => kind === 'refund');
  return refunds.reduce((sum, { allocations }) => sum + returnedFrom(receiptId, allocations), 0);
}

/** Events may come late and out of order: the refund that one tells of is that by which the sum was first reached. */
function returnThatReached(refundedCents: number, receiptId: string, returns: Returns): Returns[number] | null {
  const refunds = returns.filter(({ kind }) => kind === 'refund');
  const reached = refunds.find((_, i) => knownRefunds(receiptId, refunds.slice(0, i + 1)) >= refundedCents);
  return reached ?? refunds.at(-1) ?? null;
}
