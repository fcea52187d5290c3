/**
 * The rows of money that goes back: a payment with a negative amount, what the invoice gives of it, the audit row, and the alert where
 * somebody has to look. Shared by refunds, by what the card processor tells of, and by chargebacks. Contract 3.4.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Invoice } from '../db/entities/invoice.ts';
import {
  Payment,
  type PaymentMethod,
  type PaymentStatus,
  type RefundAllocation,
  type RefundComposition,
} from '../db/entities/payment.ts';
import { addRow } from '../db/new-rows.ts';
import { writeAudit } from '../db/queries/audit.ts';
import { writeEvent } from '../db/queries/events.ts';
import { invoiceAmounts } from '../db/queries/invoices.ts';
import { lockReceipt, returnsOfReceipt } from '../db/queries/refunds.ts';
import { auditedChanges } from '../domain/audit.ts';
import type { BusinessDate } from '../domain/dates.ts';
import { isFullyPaid } from '../domain/invoice.ts';
import { toDollars } from '../domain/money.ts';
import type { ActorRef } from '../domain/permissions.ts';
import { requiresReview } from '../domain/refund.ts';
import { auditOf } from './audit.ts';
import type { Deps } from './context.ts';
import type { RefundOutcome } from './messages-money.ts';
import { type LockedInvoice, lockForMoney } from './receipt-rows.ts';

/** Money that goes back; amounts are positive. */
export interface ReturnFacts {
  id: string;
  kind: 'refund' | 'chargeback';
  status: PaymentStatus;
  amountCents: number;
  /** What of it the invoice had taken; the rest was unapplied. */
  appliedCents: number;
  method: PaymentMethod;
  reference: string;
  allocations: RefundAllocation[];
  at: Date;
  on: BusinessDate;
  reason: string;
  actor: ActorRef;
  requestId: string | null;
  /** Of a refund that a change of the policy caused. */
  policyTransactionId?: string;
  composition?: RefundComposition;
}

/** Persists the row of a return with its audit row; what it takes from the invoice is `giveBack`. */
export function persistReturn(
  em: EntityManager,
  { logger }: Deps,
  locked: LockedInvoice | null,
  facts: ReturnFacts,
): Payment {
  const { id, kind, status, amountCents, appliedCents, method, reference, allocations, at, on, reason } = facts;
  const requiresManualReview = kind === 'chargeback' || requiresReview(amountCents);
  const invoiceId = locked?.invoice.id ?? null;
  const row = addRow(em, Payment, {
    ...{ id, kind, status, method, reference, allocations, reason, requiresManualReview, invoiceId },
    policyId: locked?.policy.id ?? null,
    policyTransactionId: facts.policyTransactionId ?? null,
    composition: facts.composition ?? null,
    amountCents: -amountCents,
    appliedCents: -appliedCents,
    beforePaidCents: 0,
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

/** Takes back from an invoice what a return gives to the insured. What it gives before it is fully paid has to be paid once more. */
export function giveBack(invoice: Invoice, row: Payment): void {
  const appliedCents = -row.appliedCents;
  if (!isFullyPaid(invoiceAmounts(invoice))) row.beforePaidCents = appliedCents;
  invoice.refundedBeforePaidCents += row.beforePaidCents;
  invoice.refundedCents += appliedCents;
}

/** What the saga needs to know of a return; `intents` are the payment intents of the receipts that the processor is to be asked for. */
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
    cardAllocations,
  };
}

/** A receipt that gives money back, with its invoice; all locked until the transaction ends. */
export interface LockedReceipt {
  receipt: Payment;
  locked: LockedInvoice | null;
  /** What of it went back or is about to, oldest first. */
  returns: Payment[];
}

/** Locks policy, invoice and receipt, in the order of all money transactions. */
export async function lockReturning(em: EntityManager, { id, invoiceId }: Payment): Promise<LockedReceipt> {
  const locked = invoiceId === null ? null : await lockForMoney(em, invoiceId);
  const receipt = await lockReceipt(em, id);
  if (receipt === null) throw new TypeError('A payment is never deleted');
  return { receipt, locked, returns: await returnsOfReceipt(em, receipt) };
}

/** What somebody has to look at. */
export interface MoneyAlert {
  operation: string;
  message: string;
  paymentId: string;
  invoiceId: string | null;
  reference: string;
  amountCents: number;
}

/** Raises `financial.operation_failed` in the transaction of what it tells of. Spec 6.4. */
export function raiseAlert(em: EntityManager, deps: Deps, { amountCents, ...alert }: MoneyAlert): void {
  const { operation, paymentId, invoiceId } = alert;
  deps.logger.error({ operation, paymentId, invoiceId, amountCents, priority: 2 }, alert.message);
  const facts = { severity: 'critical', requiresManualReview: true, amount: toDollars(amountCents) } as const;
  writeEvent(em, 'financial.operation_failed', { ...facts, ...alert, workflowId: null }, new Date(deps.now()));
}
