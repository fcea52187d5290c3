/**
 * Chargebacks: money that the customer's bank takes back through the card processor. The invoice treats it as refunded
 * when the dispute opens, and gets it back in full when the dispute is won. Every dispute needs review. Runs inside the
 * event's transaction.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundOutcome } from '../../../contracts/billing.ts';
import type { InboundOutcome } from '../../../contracts/inbound.ts';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { newId } from '../../../db/ids.ts';
import { cardPayment } from '../../../db/queries/billing/payments.ts';
import { findChargeback } from '../../../db/queries/billing/refunds.ts';
import { movedFrom } from '../../../db/queries/billing/unapplied-cash.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { isFullyPaid } from '../../../domain/billing/invoice.ts';
import { heldBy, unappliedPart } from '../../../domain/billing/refund.ts';
import { auditOf } from '../../audit.ts';
import { businessDay } from '../../business-day.ts';
import type { Deps } from '../../context.ts';
import {
  giveBack,
  type LockedReceipt,
  lockReturning,
  persistReturn,
  raiseAlert,
  refundOutcome,
} from '../refunds/refund-rows.ts';
import { reversePostings } from '../refunds/refund-steps.ts';
import { CARD_PROCESSOR } from './card-receipts.ts';

/** What a signed `charge.dispute.created` or `charge.dispute.closed` says. */
export interface DisputeNotice {
  orgId: string;
  intentId: string;
  disputeId: string;
  amountCents: number;
  /** `needs_response`, `won`, `lost`, `warning_…` and others. */
  status: string;
  /** Unix seconds. */
  createdAt: number;
}

export interface DisputeOutcome {
  outcome: Extract<InboundOutcome['outcome'], 'recorded' | 'known' | 'alerted' | 'unmatched'>;
  /** The chargeback whose saga must start; null when there is nothing to post. Starting it twice does no harm. */
  refund: RefundOutcome | null;
}

/** An inquiry, which takes no money. */
const isInquiry = (status: string) => status.startsWith('warning_');

/**
 * Records a dispute in the caller's transaction, whatever order its events come in. `told`: the dispute was won, or is
 * only an inquiry.
 */
export async function recordDispute(em: EntityManager, deps: Deps, notice: DisputeNotice): Promise<DisputeOutcome> {
  const found = await cardPayment(em, notice.intentId);
  if (found === null) return { outcome: 'unmatched', refund: null };
  const returning = await lockReturning(em, found);
  const earlier = await findChargeback(em, notice.disputeId);
  if (earlier === null)
    return isInquiry(notice.status) ? inquire(em, deps, notice, found) : open(em, deps, notice, returning);
  if (notice.status === 'won' && earlier.status === 'succeeded') {
    await winBack(em, deps, earlier, returning);
    return { outcome: 'alerted', refund: null };
  }
  const refund = earlier.status === 'succeeded' ? refundOutcome(earlier, returning.locked) : null;
  return { outcome: 'known', refund };
}

function inquire(em: EntityManager, deps: Deps, notice: DisputeNotice, receipt: Payment): DisputeOutcome {
  if (notice.status !== 'warning_closed')
    raiseDispute(em, deps, notice, receipt, "A customer's bank has opened an inquiry into a card payment.");
  return { outcome: 'alerted', refund: null };
}

/** A dispute won before its opening was reported still leaves a row, so that the late opening event takes nothing. */
async function open(
  em: EntityManager,
  deps: Deps,
  notice: DisputeNotice,
  { receipt, locked, returns }: LockedReceipt,
): Promise<DisputeOutcome> {
  const { orgId, amountCents, disputeId } = notice;
  const isWon = notice.status === 'won';
  const appliedCents = amountCents - unappliedPart(heldBy(receipt, returns, await movedFrom(em, receipt)), amountCents);
  const row = persistReturn(em, deps, locked, {
    ...{ id: newId('refund'), kind: 'chargeback', amountCents, appliedCents, method: 'card', reference: disputeId },
    status: isWon ? 'failed' : 'succeeded',
    allocations: [{ paymentId: receipt.id, amountCents, method: 'card', processorRefundId: null }],
    at: new Date(notice.createdAt * 1000),
    on: (await businessDay(em, orgId, deps.now())).today,
    reason: "Charged back by the customer's bank.",
    actor: CARD_PROCESSOR,
    requestId: null,
  });
  if (isWon) return { outcome: 'alerted', refund: null };
  if (locked !== null) giveBack(locked.invoice, row);
  raiseDispute(em, deps, notice, row, 'A card payment was charged back.');
  return { outcome: 'recorded', refund: refundOutcome(row, locked) };
}

/** The money is back: the row no longer counts, its postings are reversed, and the invoice is restored. */
async function winBack(
  em: EntityManager,
  deps: Deps,
  chargeback: Payment,
  { receipt, locked }: LockedReceipt,
): Promise<void> {
  chargeback.status = 'failed';
  const origin = { actor: CARD_PROCESSOR, requestId: null, entityId: chargeback.id };
  const changes = { status: { before: 'succeeded', after: 'failed' } };
  writeAudit(em, auditOf(origin, 'payment:chargeback_won', 'payment', changes));
  const { today } = await businessDay(em, chargeback.orgId, deps.now());
  await reversePostings(em, chargeback, today);
  if (locked === null) return;
  const surplusCents = restore(locked.invoice, chargeback);
  if (surplusCents === 0) return;
  receipt.appliedCents -= surplusCents;
  const { id: paymentId, invoiceId, reference } = receipt;
  const message = 'A chargeback was won, but its invoice can no longer take the money; it is held unapplied.';
  raiseAlert(em, deps, {
    operation: 'payment.unapplied',
    message,
    paymentId,
    invoiceId,
    reference,
    amountCents: surplusCents,
  });
}

/**
 * Restores what a chargeback took from an invoice. Returns the surplus that the invoice cannot take, which is deducted
 * from its payments: it was paid again meanwhile, or would become fully paid only now, without a payment to trigger the
 * ledger steps. A void invoice keeps the money until it is refunded.
 */
function restore(invoice: Invoice, chargeback: Payment): number {
  const appliedCents = -chargeback.appliedCents;
  const wasPaid = isFullyPaid(invoice);
  invoice.refundedCents -= appliedCents;
  invoice.refundedBeforePaidCents -= chargeback.beforePaidCents;
  if (invoice.voidedAt !== null) return 0;
  const { paidCents, refundedBeforePaidCents, totalCents } = invoice;
  const completes = !wasPaid && isFullyPaid(invoice);
  const beyondCents = Math.max(paidCents - refundedBeforePaidCents - totalCents, 0);
  const surplusCents = completes ? appliedCents : Math.min(beyondCents, appliedCents);
  invoice.paidCents -= surplusCents;
  return surplusCents;
}

function raiseDispute(em: EntityManager, deps: Deps, notice: DisputeNotice, row: Payment, message: string): void {
  const { amountCents, disputeId: reference } = notice;
  raiseAlert(em, deps, {
    operation: 'chargeback',
    message,
    paymentId: row.id,
    invoiceId: row.invoiceId,
    reference,
    amountCents,
  });
}
