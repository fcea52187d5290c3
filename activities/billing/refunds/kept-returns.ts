/**
 * Return premium whose refund is rejected: the policy change still owes it, so it is returned by its parts and stays
 * with the policy as unapplied cash. Decision 0316.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentOutcome } from '../../../contracts/billing.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { findPayment } from '../../../db/queries/billing/payments.ts';
import { returnsOfReceipt } from '../../../db/queries/billing/refunds.ts';
import { standing } from '../../../db/queries/billing/unapplied-cash.ts';
import { isFullyPaid } from '../../../domain/billing/invoice.ts';
import { returnedFrom } from '../../../domain/billing/refund.ts';
import type { Cents } from '../../../domain/money.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import type { Deps } from '../../context.ts';
import type { LockedInvoice } from '../../money-locks.ts';
import { keepAudited } from '../disbursements/kept.ts';
import { oweByCheck } from '../disbursements/owing.ts';
import { giveBack, raiseAlert } from './refund-rows.ts';

/** Earlier than any processor report, whose total never counted a refund that was not requested. */
export const NEVER_AT_PROCESSOR = 0;

/**
 * Whether a reserved refund is return premium that is still here: its invoice is fully paid, and no card processor has
 * refunded more than was requested. Refunds the processor made of these `receiptIds` may have been counted as this
 * one.
 */
export async function isReturnPremiumHere(
  em: EntityManager,
  row: Payment,
  locked: LockedInvoice | null,
  receiptIds: readonly string[] = [],
): Promise<boolean> {
  if (row.composition === null || locked === null || !isFullyPaid(invoiceAmounts(locked.invoice))) return false;
  for (const { paymentId, method, amountCents } of row.allocations) {
    const receipt = method === 'card' ? await findPayment(em, paymentId) : null;
    const madeCents = receiptIds.includes(paymentId) ? amountCents : 0;
    if (receipt !== null && (await isGivenBack(em, receipt, row, madeCents))) return false;
  }
  return true;
}

async function isGivenBack(em: EntityManager, receipt: Payment, row: Payment, madeCents: Cents): Promise<boolean> {
  const others = (await returnsOfReceipt(em, receipt)).filter(({ id, kind }) => kind === 'refund' && id !== row.id);
  const parts = standing(others.flatMap(({ allocations }) => allocations));
  return receipt.processorRefundedCents > returnedFrom(receipt.id, parts) + madeCents;
}

/**
 * Puts a rejected refund back on the policy in the caller's transaction; returns the receipt, whose saga must start.
 */
export async function keepRejected(
  em: EntityManager,
  deps: Deps,
  row: Payment,
  { locked, origin }: { locked: LockedInvoice; origin: Pick<Parameters<typeof keepAudited>[3], 'actor' | 'requestId'> },
): Promise<PaymentOutcome> {
  row.allocations = row.allocations.map((part) =>
    part.method === 'card' ? { ...part, failedAt: NEVER_AT_PROCESSOR } : part,
  );
  await giveBack(em, locked.invoice, row);
  const amountCents = -row.amountCents;
  const { today } = await businessDay(em, row.orgId, deps.now());
  const owed = { refund: row, locked, amountCents, on: today, processorRefundId: null, actor: origin.actor };
  const disbursement = oweByCheck(em, deps, owed);
  const { actor, requestId } = origin;
  const reason = row.approval?.reason ?? 'The refund was rejected.';
  const kept = await keepAudited(em, deps, disbursement, { amountCents, reason, actor, requestId, today });
  const { id: paymentId, invoiceId, reference } = row;
  const message = 'A refund owed because of a policy change was rejected. The money is held as unapplied cash.';
  raiseAlert(em, deps, { operation: 'refund.rejected', message, paymentId, invoiceId, reference, amountCents });
  return kept;
}
