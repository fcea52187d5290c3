/**
 * Money refunded by the card processor. It reports a total per charge, not each refund. Refunds that we requested are
 * in that total, so only the difference from what we know is recorded. Runs inside the event's transaction. Contract
 * 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundOutcome } from '../../../contracts/billing.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { newId } from '../../../db/ids.ts';
import { cardPayment } from '../../../db/queries/billing/payments.ts';
import {
  movedFrom,
  refundedElsewhere,
  refundPartsOfCharge,
  standing,
} from '../../../db/queries/billing/unapplied-cash.ts';
import { heldBy, returnedFrom, takenFrom } from '../../../domain/billing/refund.ts';
import { sumCents } from '../../../domain/money.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import type { Deps } from '../../context.ts';
import {
  giveBack,
  type LockedReceipt,
  lockReturning,
  persistReturn,
  raiseCovered,
  refundOutcome,
} from '../refunds/refund-rows.ts';
import { CARD_PROCESSOR } from './card-receipts.ts';

/** The money in a signed `charge.refunded`. */
export interface CardRefundNotice {
  orgId: string;
  intentId: string;
  chargeId: string | null;
  /** The total refunded on the charge so far. */
  refundedCents: number;
  /** Unix seconds. */
  createdAt: number;
}

/**
 * Records, in the caller's transaction, what the processor has refunded beyond what we know, and returns that refund.
 * If nothing is new (`known`), returns the refund that reached the total. Null when there is no such payment or
 * nothing was refunded. The caller starts the refund's saga; starting a known one again does no harm.
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
  const standingCents = notice.refundedCents - (await failedSince(em, receipt, notice.createdAt));
  receipt.processorRefundedCents = Math.max(receipt.processorRefundedCents, standingCents);
  receipt.chargeId ??= notice.chargeId;
  const recorded = await recordProcessorRefund(em, deps, returning, {
    ...notice,
    at: new Date(notice.createdAt * 1000),
  });
  if (recorded !== null) return { ...recorded, known: false };
  const reached = returnThatReached(standingCents, receipt.id, returns);
  return reached && { ...refundOutcome(reached, locked), known: true };
}

/**
 * Records what the processor refunded on a receipt beyond known and pending refunds; null if nothing. Also called when
 * a pending refund fails, because until then it accounted for part of the processor's total.
 */
export async function recordProcessorRefund(
  em: EntityManager,
  deps: Deps,
  { receipt, locked, returns }: Omit<LockedReceipt, 'disputes'>,
  { orgId, at }: { orgId: string; at: Date },
): Promise<RefundOutcome | null> {
  const beside = await refundedElsewhere(em, receipt);
  const amountCents = receipt.processorRefundedCents - knownRefunds(receipt.id, returns) - beside;
  if (amountCents <= 0) return null;
  const held = heldBy(receipt, returns, await movedFrom(em, receipt));
  const { appliedCents, coveredCents } = takenFrom(held, amountCents);
  const id = newId('refund');
  const row = persistReturn(em, deps, locked, {
    ...{ id, kind: 'refund', status: 'succeeded', amountCents, appliedCents, coveredCents },
    ...{ method: 'card', reference: id, at },
    allocations: [{ paymentId: receipt.id, amountCents, method: 'card', processorRefundId: null }],
    on: (await businessDay(em, orgId, deps.now())).today,
    reason: 'Refunded at the card processor.',
    actor: CARD_PROCESSOR,
    requestId: null,
  });
  if (locked !== null) await giveBack(em, locked.invoice, row);
  if (coveredCents > 0) raiseCovered(em, deps, row);
  return refundOutcome(row, locked);
}

type Returns = LockedReceipt['returns'];

/** A chargeback is not one of the processor's refunds, and a failed refund no longer counts. */
function knownRefunds(receiptId: string, returns: Returns): number {
  const refunds = returns.filter(({ kind }) => kind === 'refund');
  return returnedFrom(receiptId, standing(refunds.flatMap(({ allocations }) => allocations)));
}

/** Refunds that the total at this time still included and that have failed since, in cents. */
async function failedSince(em: EntityManager, receipt: Payment, unixSeconds: number): Promise<number> {
  const parts = await refundPartsOfCharge(em, receipt);
  const failed = parts.filter(({ failedAt }) => failedAt !== undefined && failedAt >= unixSeconds);
  return sumCents(failed.map(({ amountCents }) => amountCents));
}

/** Events may come late and out of order, so an event belongs to the refund that first reached its total. */
function returnThatReached(refundedCents: number, receiptId: string, returns: Returns): Returns[number] | null {
  const refunds = returns.filter(({ kind }) => kind === 'refund');
  const reached = refunds.find((_, i) => knownRefunds(receiptId, refunds.slice(0, i + 1)) >= refundedCents);
  return reached ?? refunds.at(-1) ?? null;
}
