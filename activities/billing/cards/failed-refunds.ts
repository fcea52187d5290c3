/**
 * Card refunds that did not reach the card after all: the processor has the money again, so it is owed by check. The
 * processor reports each several times, in any order. Runs inside the event's transaction. Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { ApplicationFailure } from '@temporalio/common';
import type { InboundOutcome } from '../../../contracts/inbound.ts';
import type { Payment, RefundAllocation } from '../../../db/entities/billing/payment.ts';
import { newId } from '../../../db/ids.ts';
import { entriesOf, postEntry } from '../../../db/queries/billing/ledger.ts';
import { cardPayment } from '../../../db/queries/billing/payments.ts';
import { lockReceipt, refundsOfReceipt } from '../../../db/queries/billing/refunds.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { failedPayoutEntry } from '../../../domain/billing/ledger/entries.ts';
import { isReserved } from '../../../domain/billing/payment.ts';
import { type FailedCardRefund, failAllocation, refundThatFailed } from '../../../domain/billing/refund-failure.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { auditOf } from '../../audit.ts';
import { businessDay } from '../../business-day.ts';
import type { Deps } from '../../context.ts';
import { oweByCheck } from '../disbursements/owing.ts';
import { type LockedReceipt, lockReturning, persistReturn, raiseAlert } from '../refunds/refund-rows.ts';
import { CARD_PROCESSOR } from './card-receipts.ts';

/** What a signed `refund.failed`, `refund.updated` or `charge.refund.updated` says. */
export interface CardRefundChange {
  orgId: string;
  intentId: string;
  processorRefundId: string;
  /** Our refund that it is part of; null for one made at the processor. */
  refundId: string | null;
  amountCents: number;
  status: string;
  /** Unix seconds. */
  createdAt: number;
}

/** How a refund ends that gives nothing back. */
const FAILED: readonly string[] = ['failed', 'canceled'];

type Outcome = Extract<InboundOutcome['outcome'], 'recorded' | 'known' | 'alerted'>;

/**
 * Takes note of a card refund's end in the caller's transaction, once; other changes say nothing new.
 * @throws ApplicationFailure refund_not_settled for one of ours that is still being settled: the event comes again
 */
export async function recordRefundChange(em: EntityManager, deps: Deps, change: CardRefundChange): Promise<Outcome> {
  const found = FAILED.includes(change.status) ? await cardPayment(em, change.intentId) : null;
  if (found === null) return 'known';
  const returning = await lockReturning(em, found);
  const refunds = await refundsOfReceipt(em, returning.receipt);
  const { today } = await businessDay(em, change.orgId, deps.now());
  const failed = { ...change, paymentId: returning.receipt.id };
  if (refunds.some(({ allocations }) => isKnown(allocations, failed))) return 'known';
  ensureSettled(refunds, change);
  const standing = refunds.filter(({ status }) => status === 'succeeded');
  const row = refundThatFailed(standing, failed);
  forgetTotal(returning.receipt, failed);
  if (row === null) persistNeverGiven(em, deps, returning, { failed, today });
  else await fail(em, deps, returning, { row, failed, today });
  return row === null ? 'recorded' : 'alerted';
}

function isKnown(allocations: readonly RefundAllocation[], { processorRefundId }: FailedCardRefund): boolean {
  return allocations.some((each) => each.processorRefundId === processorRefundId && each.failedAt !== undefined);
}

/** Until the row says which part the processor refunded, nothing can be said of that part. */
function ensureSettled(refunds: readonly Payment[], { refundId }: CardRefundChange): void {
  if (!refunds.some(({ id, status }) => id === refundId && isReserved(status))) return;
  const message = 'The refund that this event is about is still being settled.';
  throw ApplicationFailure.create({ message, type: 'refund_not_settled', nonRetryable: true, category: 'BENIGN' });
}

/** The processor's total falls again by what has failed. */
function forgetTotal(receipt: Payment, { amountCents }: FailedCardRefund): void {
  receipt.processorRefundedCents = Math.max(0, receipt.processorRefundedCents - amountCents);
}

interface Failing {
  row: Payment;
  failed: FailedCardRefund;
  today: BusinessDate;
}

/** The insured has been credited and has not got the money: it is owed by check from now on. */
async function fail(
  em: EntityManager,
  deps: Deps,
  { locked }: LockedReceipt,
  { row: found, failed, today }: Failing,
): Promise<void> {
  const row = (await lockReceipt(em, found.id)) ?? found;
  row.allocations = failAllocation(row.allocations, failed);
  const { amountCents, processorRefundId } = failed;
  const { id, orgId, policyId, invoiceId } = row;
  const invoice = locked?.invoice ?? null;
  const owed = oweByCheck(em, deps, {
    ...{ refund: row, invoice, amountCents, on: today, processorRefundId, actor: CARD_PROCESSOR },
  });
  const posted = await entriesOf(em, { sourceType: 'refund', sourceId: id });
  // What is not posted yet will be posted without the part that failed.
  if (posted.some(({ entryType }) => entryType === 'return')) {
    const description = `Card refund ${processorRefundId} failed`;
    const source = { sourceType: 'disbursement', sourceId: owed.id, date: today, policyId, invoiceId } as const;
    postEntry(em, failedPayoutEntry(amountCents), { ...source, description });
  }
  const origin = { actor: CARD_PROCESSOR, requestId: null, entityId: id };
  writeAudit(em, auditOf(origin, 'payment:fail_refund', 'payment', { reference: processorRefundId, amountCents }));
  const message = 'A card refund failed; its money is owed by check.';
  deps.logger.warn({ orgId, refundId: id, disbursementId: owed.id }, message);
  const alert = { operation: 'refund.failed', message, paymentId: id, invoiceId };
  raiseAlert(em, deps, { ...alert, reference: processorRefundId, amountCents });
}

/** Refunded at the processor and failed before we heard of it: a row remembers that, so that late events add nothing. */
function persistNeverGiven(
  em: EntityManager,
  deps: Deps,
  { receipt, locked }: LockedReceipt,
  { failed, today }: Omit<Failing, 'row'>,
): void {
  const { amountCents, processorRefundId, createdAt: failedAt } = failed;
  const row = persistReturn(em, deps, locked, {
    ...{ id: newId('refund'), kind: 'refund', status: 'failed', method: 'card', reference: processorRefundId },
    ...{ amountCents, appliedCents: amountCents, at: new Date(failedAt * 1000), on: today },
    allocations: [{ paymentId: receipt.id, amountCents, method: 'card', processorRefundId, failedAt }],
    reason: 'Refunded at the card processor, and failed.',
    actor: CARD_PROCESSOR,
    requestId: null,
  });
  row.sagaEndedAt = new Date(deps.now());
}
