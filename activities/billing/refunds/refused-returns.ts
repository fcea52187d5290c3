/**
 * Return premium that a card will never take back: the policy change still owes it, so it is owed by check from the
 * moment of the refusal. Decision 0319.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { findPayment } from '../../../db/queries/billing/payments.ts';
import { lockReceipt } from '../../../db/queries/billing/refunds.ts';
import type { ActorRef } from '../../../domain/permissions.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import type { Deps } from '../../context.ts';
import type { LockedInvoice } from '../../money-locks.ts';
import { oweByCheck } from '../disbursements/owing.ts';
import { standingOf } from './approvals.ts';
import { isReturnPremiumHere, NEVER_AT_PROCESSOR } from './kept-returns.ts';
import { raiseAlert } from './refund-rows.ts';

/** A card's refusal: the refund that failed at the processor, or null if none was made. */
export interface RefusedPart {
  paymentId: string;
  processorRefundId: string | null;
}

/**
 * Whether refused parts are owed by check: it is return premium, the money is here, and the processor has answered for
 * every card. A part without an answer may have gone back, and nothing else pays it.
 */
export async function owesInPlaceOfCards(
  em: EntityManager,
  row: Payment,
  locked: LockedInvoice | null,
  { given, refused = [] }: { given: readonly { paymentId: string }[]; refused?: readonly RefusedPart[] },
): Promise<boolean> {
  if (refused.length === 0) return false;
  const answered = new Set([...given, ...refused].map(({ paymentId }) => paymentId));
  if (row.allocations.some(({ method, paymentId }) => method === 'card' && !answered.has(paymentId))) return false;
  const { isHeld } = await standingOf(em, row);
  const made = [...given, ...refused.filter(({ processorRefundId }) => processorRefundId !== null)];
  const receiptIds = made.map(({ paymentId }) => paymentId);
  return isHeld && (await isReturnPremiumHere(em, row, locked, receiptIds));
}

/**
 * Marks the parts that cards refused. A refund made but failed owes a separate check, like one that fails later; one
 * never made is owed with the parts that did not come by card.
 */
export async function oweRefused(
  em: EntityManager,
  deps: Deps,
  row: Payment,
  { locked, refused, actor }: { locked: LockedInvoice | null; refused: readonly RefusedPart[]; actor: ActorRef },
): Promise<void> {
  const { today: on } = await businessDay(em, row.orgId, deps.now());
  const failedAt = Math.floor(deps.now() / 1000);
  for (const { paymentId, processorRefundId } of refused) {
    const part = row.allocations.find((each) => each.paymentId === paymentId);
    if (part === undefined) continue;
    const { amountCents } = part;
    const failed = { ...part, failedAt: processorRefundId === null ? NEVER_AT_PROCESSOR : failedAt };
    row.allocations = row.allocations.map((each) => (each === part ? failed : each));
    if (processorRefundId !== null) {
      oweByCheck(em, deps, { refund: row, locked, amountCents, on, processorRefundId, actor });
      await forgetTotal(em, paymentId, amountCents);
    }
    const message = 'A card refused return premium for good. The money is now owed by check.';
    const of = { paymentId: row.id, invoiceId: row.invoiceId, reference: processorRefundId ?? row.reference };
    raiseAlert(em, deps, { operation: 'refund.failed', message, ...of, amountCents });
  }
}

/** The processor's total, if reported, included the refund until it failed. */
async function forgetTotal(em: EntityManager, paymentId: string, amountCents: number): Promise<void> {
  const paid = await findPayment(em, paymentId);
  const receipt = paid && (await lockReceipt(em, paid.sourcePaymentId ?? paid.id));
  if (receipt !== null) receipt.processorRefundedCents = Math.max(0, receipt.processorRefundedCents - amountCents);
}
