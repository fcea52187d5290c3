/**
 * Writes the rows of returned money: a payment with a negative amount, the invoice's part, the audit row, and an alert
 * when a person must review it. Shared by refunds, processor reports, chargebacks and reversals. Contract 3.4.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundOutcome } from '../../../contracts/billing.ts';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import { Payment, type RefundAllocation, type RefundComposition } from '../../../db/entities/billing/payment.ts';
import { addRow } from '../../../db/new-rows.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { returnsOfInvoice, returnsOfReceipt } from '../../../db/queries/billing/refunds.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import type { Dispute } from '../../../domain/billing/dispute.ts';
import { paidAgainCents } from '../../../domain/billing/paid-again.ts';
import type { PaymentMethod, PaymentStatus, ReturnKind } from '../../../domain/billing/payment.ts';
import { requiresReview } from '../../../domain/billing/refund.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { toDollars } from '../../../domain/money.ts';
import type { ActorRef } from '../../../domain/permissions.ts';
import { auditOf } from '../../audit.ts';
import type { Deps } from '../../context.ts';
import { type LockedInvoice, lockPayment } from '../../money-locks.ts';

/** Money returned; amounts are positive. */
export interface ReturnFacts {
  id: string;
  kind: ReturnKind;
  status: PaymentStatus;
  amountCents: number;
  /** The part applied to the invoice; the rest was unapplied or is covered. */
  appliedCents: number;
  /** The part that had already gone back: operating money makes the trust whole. None by default. */
  coveredCents?: number;
  method: PaymentMethod;
  reference: string;
  allocations: RefundAllocation[];
  at: Date;
  on: BusinessDate;
  reason: string;
  actor: ActorRef;
  /** Who requested it, the principal requester first, if not just the actor. */
  requestedBy?: readonly ActorRef[];
  requestId: string | null;
  /** Set on a refund caused by a policy change. */
  policyTransactionId?: string;
  composition?: RefundComposition;
  /** Set on a chargeback. */
  dispute?: Dispute;
}

/** Persists a return with its audit row; `giveBack` deducts it from the invoice. */
export function persistReturn(
  em: EntityManager,
  { logger }: Deps,
  locked: LockedInvoice | null,
  facts: ReturnFacts,
): Payment {
  const { id, kind, status, amountCents, appliedCents, method, reference, allocations, at, on, reason } = facts;
  const { coveredCents = 0 } = facts;
  const requiresManualReview = kind !== 'refund' || coveredCents > 0 || requiresReview(amountCents);
  const invoiceId = locked?.invoice.id ?? null;
  const row = addRow(em, Payment, {
    ...{ id, kind, status, method, reference, allocations, reason, requiresManualReview, invoiceId },
    policyId: locked?.policy.id ?? null,
    policyTransactionId: facts.policyTransactionId ?? null,
    composition: facts.composition ?? null,
    amountCents: -amountCents,
    appliedCents: -appliedCents,
    beforePaidCents: 0,
    coveredCents,
    dispute: facts.dispute ?? null,
    chargeId: null,
    receivedAt: at,
    receivedOn: on,
  });
  const after = { status, amountCents: -amountCents, appliedCents: -appliedCents, requiresManualReview };
  writeAudit(em, auditOf({ ...facts, entityId: id }, `payment:${kind}`, 'payment', auditedChanges(null, after)));
  if (requiresManualReview) {
    logger.warn({ refundId: id, invoiceId, kind, amountCents, requiresManualReview }, 'a refund is to be reviewed');
  }
  return row;
}

/** Deducts a return from its locked invoice; `paidAgainCents` is the part that must be paid again. */
export async function giveBack(em: EntityManager, invoice: Invoice, row: Payment): Promise<void> {
  const others = (await returnsOfInvoice(em, invoice.id)).filter(({ id }) => id !== row.id);
  row.beforePaidCents = paidAgainCents(invoiceAmounts(invoice), row, others);
  invoice.refundedBeforePaidCents += row.beforePaidCents;
  invoice.refundedCents -= row.appliedCents;
}

/** The payment intents of card money, whichever invoice it went to. */
export function cardIntentsOf(receipts: readonly Payment[]): Map<string, string> {
  return new Map(receipts.filter(({ method }) => method === 'card').map(({ id, reference }) => [id, reference]));
}

/** What the saga needs to know about a return; `intents` are the payment intents to refund at the processor. */
export function refundOutcome(
  row: Payment,
  locked: LockedInvoice | null,
  intents: ReadonlyMap<string, string> = new Map(),
): RefundOutcome {
  const cardAllocations = row.allocations.flatMap(({ paymentId, amountCents }) => {
    const intentId = intents.get(paymentId);
    return intentId === undefined ? [] : [{ paymentId, intentId, amountCents }];
  });
  return {
    refundId: row.id,
    invoiceId: row.invoiceId,
    invoiceNumber: locked?.invoice.invoiceNumber ?? null,
    policyId: row.policyId,
    policyNumber: locked?.policy.policyNumber ?? null,
    hasProducer: (locked?.invoice.producerId ?? null) !== null,
    amountCents: -row.amountCents,
    requiresManualReview: row.requiresManualReview,
    awaitsApproval: row.status === 'pending_approval',
    ...(row.composition !== null && { isReturnPremium: true }),
    cardAllocations,
  };
}

/** The policy that return premium counted for while it awaited approval, and no longer. Decision 0317. */
export function policyCovered({ policyId, policyTransactionId, approval }: Payment): string[] {
  const hasWaited = policyTransactionId !== null && (approval ?? null) !== null;
  return hasWaited && policyId !== null ? [policyId] : [];
}

/** Marks a locked receipt as changed: its returns are shown with it. */
export function touch(receipt: Payment, at: Date): void {
  receipt.updatedAt = at;
}

/** A receipt that money is returned from, with its invoice; all locked until the transaction ends. */
export interface LockedReceipt {
  receipt: Payment;
  locked: LockedInvoice | null;
  /** Its completed and pending returns, oldest first. */
  returns: Payment[];
  /** The completed chargebacks on its invoice, of any receipt. */
  disputes: Payment[];
}

/** Locks a receipt after its policy and invoice, and reads what it has returned. */
export async function lockReturning(em: EntityManager, { id }: Payment): Promise<LockedReceipt> {
  const found = await lockPayment(em, id);
  if (found === null) throw new TypeError('A payment is never deleted');
  const { payment: receipt, locked } = found;
  return { receipt, locked, ...(await returnsOf(em, receipt)) };
}

/** Reads what was returned from a locked receipt, and what banks took from its invoice. */
async function returnsOf(em: EntityManager, receipt: Payment): Promise<Pick<LockedReceipt, 'returns' | 'disputes'>> {
  const disputes = receipt.invoiceId === null ? [] : await returnsOfInvoice(em, receipt.invoiceId);
  return {
    returns: await returnsOfReceipt(em, receipt),
    disputes: disputes.filter(({ kind, status }) => kind === 'chargeback' && status === 'succeeded'),
  };
}

/** A money fault that a person must review. */
export interface MoneyAlert {
  operation: string;
  message: string;
  paymentId: string | null;
  invoiceId: string | null;
  reference: string;
  amountCents: number;
}

/** Raises `financial.operation_failed` in the caller's transaction. Spec 6.4. */
export function raiseAlert(em: EntityManager, deps: Deps, { amountCents, ...alert }: MoneyAlert): void {
  const { operation, paymentId, invoiceId } = alert;
  deps.logger.error({ operation, paymentId, invoiceId, amountCents, priority: 2 }, alert.message);
  const facts = { severity: 'critical', requiresManualReview: true, amount: toDollars(amountCents) } as const;
  writeEvent(em, 'financial.operation_failed', { ...facts, ...alert, workflowId: null }, new Date(deps.now()));
}

/** Alerts that money went back twice: what the trust lacks is due from operating money (accounts 1040, 2110, 5020). */
export function raiseCovered(em: EntityManager, deps: Deps, row: Payment): void {
  const { id: paymentId, invoiceId, reference, coveredCents: amountCents } = row;
  const message = 'More went back than the payment still held. Operating funds owe the trust the difference.';
  raiseAlert(em, deps, { operation: 'trust.covered', message, paymentId, invoiceId, reference, amountCents });
}
