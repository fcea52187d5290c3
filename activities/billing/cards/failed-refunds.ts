/**
 * Card refunds that never reached the card: the processor has the money back, so we owe it by check. The processor
 * reports each one several times, in any order. Runs inside the event's transaction. Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { ApplicationFailure } from '@temporalio/common';
import type { InboundOutcome } from '../../../contracts/inbound.ts';
import type { Payment, RefundAllocation } from '../../../db/entities/billing/payment.ts';
import { newId } from '../../../db/ids.ts';
import { entriesOf, postEntry } from '../../../db/queries/billing/ledger.ts';
import { cardPayment } from '../../../db/queries/billing/payments.ts';
import { lockReceipt, refundsOfReceipt } from '../../../db/queries/billing/refunds.ts';
import { applicationsOf } from '../../../db/queries/billing/unapplied-cash.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { failedPayoutEntry } from '../../../domain/billing/ledger/entries.ts';
import { isReserved } from '../../../domain/billing/payment.ts';
import { type FailedCardRefund, failAllocation, refundThatFailed } from '../../../domain/billing/refund-failure.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import { auditOf } from '../../audit.ts';
import type { Deps } from '../../context.ts';
import { oweByCheck } from '../disbursements/owing.ts';
import { type LockedReceipt, lockReturning, persistReturn, raiseAlert } from '../refunds/refund-rows.ts';
import { reversePostings } from '../refunds/refund-steps.ts';
import { CARD_PROCESSOR } from './card-receipts.ts';

/** The contents of a signed `refund.failed`, `refund.updated` or `charge.refund.updated`. */
export interface CardRefundChange {
  orgId: string;
  intentId: string;
  processorRefundId: string;
  /** The refund of ours that it is part of; null for one made at the processor. */
  refundId: string | null;
  amountCents: number;
  status: string;
  /** Unix seconds. */
  createdAt: number;
}

/** The final statuses of a refund that returned nothing. */
const FAILED: readonly string[] = ['failed', 'canceled'];

type Outcome = Extract<InboundOutcome['outcome'], 'recorded' | 'known' | 'alerted'>;

/**
 * Records a card refund's failure in the caller's transaction, once; ignores other changes.
 * @throws ApplicationFailure refund_not_settled for one still being settled or posted: the event is sent again
 */
export async function recordRefundChange(em: EntityManager, deps: Deps, change: CardRefundChange): Promise<Outcome> {
  const charged = FAILED.includes(change.status) ? await cardPayment(em, change.intentId) : null;
  if (charged === null) return 'known';
  const returning = await lockReturning(em, await refundedPayment(em, charged, change));
  const { receipt: refunded } = returning;
  const receipt = refunded.id === charged.id ? refunded : ((await lockReceipt(em, charged.id)) ?? charged);
  const refunds = await refundsOfReceipt(em, refunded);
  const { today } = await businessDay(em, change.orgId, deps.now());
  const failed = { ...change, paymentId: refunded.id };
  if (refunds.some(({ allocations }) => isKnown(allocations, failed))) return 'known';
  if (refunds.some(({ id, status }) => id === change.refundId && isReserved(status))) throw notSettled();
  const standing = refunds.filter(({ status }) => status === 'succeeded');
  const row = refundThatFailed(standing, failed);
  if (row === null) persistNeverGiven(em, deps, returning, { failed, today });
  else await fail(em, deps, returning, { row, failed, today });
  forgetTotal(receipt, failed);
  return row === null ? 'recorded' : 'alerted';
}

/** The charge's own receipt, unless the refund returned money that had been applied to another invoice. */
async function refundedPayment(em: EntityManager, charged: Payment, change: CardRefundChange): Promise<Payment> {
  for (const application of await applicationsOf(em, charged)) {
    const refunds = await refundsOfReceipt(em, application);
    const isItsRefund = ({ id, allocations }: Payment) =>
      id === change.refundId || allocations.some((part) => part.processorRefundId === change.processorRefundId);
    if (refunds.some(isItsRefund)) return application;
  }
  return charged;
}

function isKnown(allocations: readonly RefundAllocation[], { processorRefundId }: FailedCardRefund): boolean {
  return allocations.some((each) => each.processorRefundId === processorRefundId && each.failedAt !== undefined);
}

/** The outcome stays open until the row shows which part the processor refunded and the ledger has it. */
function notSettled(): ApplicationFailure {
  const message = 'The refund that this event is about is still being settled.';
  return ApplicationFailure.create({ message, type: 'refund_not_settled', nonRetryable: true, category: 'BENIGN' });
}

/** The processor's total drops by the failed amount. */
function forgetTotal(receipt: Payment, { amountCents }: FailedCardRefund): void {
  receipt.processorRefundedCents = Math.max(0, receipt.processorRefundedCents - amountCents);
}

interface Failing {
  row: Payment;
  failed: FailedCardRefund;
  today: BusinessDate;
}

/** The insured was credited but never got the money: we now owe it by check. */
async function fail(em: EntityManager, deps: Deps, returning: LockedReceipt, failing: Failing): Promise<void> {
  const { failed, today } = failing;
  const row = (await lockReceipt(em, failing.row.id)) ?? failing.row;
  const entries = await entriesOf(em, { sourceType: 'refund', sourceId: row.id });
  const isPosted = entries.some(({ entryType }) => entryType === 'return' || entryType === 'payout');
  if (row.coveredCents > 0 && !isPosted) throw notSettled();
  const unappliedCents = row.appliedCents - row.amountCents - row.coveredCents;
  row.allocations = failAllocation(row.allocations, failed, unappliedCents);
  if (row.coveredCents === -row.amountCents && failed.amountCents === row.coveredCents) await uncover(em, row, today);
  else oweAgain(em, deps, returning, { row, failed, today, isPosted });
  const { amountCents, processorRefundId } = failed;
  const origin = { actor: CARD_PROCESSOR, requestId: null, entityId: row.id };
  writeAudit(em, auditOf(origin, 'payment:fail_refund', 'payment', { reference: processorRefundId, amountCents }));
  const message =
    row.status === 'failed'
      ? 'A card refund failed. No money is owed for it.'
      : 'A card refund failed. The money is now owed by check.';
  deps.logger.warn({ orgId: row.orgId, refundId: row.id }, message);
  const alert = { operation: 'refund.failed', message, paymentId: row.id, invoiceId: row.invoiceId };
  raiseAlert(em, deps, { ...alert, reference: processorRefundId, amountCents });
}

/** The money had already gone back, and operating money covered all of this refund: it is not owed a second time. */
async function uncover(em: EntityManager, row: Payment, today: BusinessDate): Promise<void> {
  row.status = 'failed';
  await reversePostings(em, row, today);
}

function oweAgain(
  em: EntityManager,
  deps: Deps,
  { locked }: LockedReceipt,
  { row, failed, today, isPosted }: Failing & { isPosted: boolean },
): void {
  const { amountCents, processorRefundId } = failed;
  const { id: refundId, policyId, invoiceId } = row;
  const owed = oweByCheck(em, deps, {
    ...{ refund: row, locked, amountCents, on: today, processorRefundId, actor: CARD_PROCESSOR },
  });
  // A return not posted yet will be posted without the failed part.
  if (!isPosted) return;
  const description = `Card refund ${processorRefundId} of ${refundId} failed`;
  const source = { sourceType: 'disbursement', sourceId: owed.id, date: today, policyId, invoiceId } as const;
  postEntry(em, failedPayoutEntry(amountCents), { ...source, description });
}

/** Refunded at the processor, and failed before we knew of it: a row records that, so that late events add nothing. */
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
    reason: 'Refunded at the card processor, but the refund failed.',
    actor: CARD_PROCESSOR,
    requestId: null,
  });
  row.sagaEndedAt = new Date(deps.now());
}
