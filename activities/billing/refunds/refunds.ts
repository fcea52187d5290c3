/**
 * Requested refunds: reserved under the invoice's lock, so that the same money is never refunded twice, and settled
 * when the card processor has agreed or declined. Pending in between. `refund-steps.ts` posts the ledgers. Contract
 * 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundOutcome, RefundPayload } from '../../../contracts/billing.ts';
import type { Command } from '../../../contracts/command.ts';
import type { MoneyStep } from '../../../contracts/saga.ts';
import type { Payment, RefundAllocation } from '../../../db/entities/billing/payment.ts';
import { findPayment, paymentsOf, paymentsWith } from '../../../db/queries/billing/payments.ts';
import { lockReceipt, returnsOfInvoice, returnsOfReceipt } from '../../../db/queries/billing/refunds.ts';
import { heldNow } from '../../../db/queries/billing/unapplied-cash.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { commandResult, saveCommand } from '../../../db/queries/platform/commands.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { ensureRefundable } from '../../../domain/billing/invoice-actions.ts';
import { moneyOf, paysInvoice } from '../../../domain/billing/payment.ts';
import { allocateWithUnapplied, type MixedAllocation } from '../../../domain/billing/refund.ts';
import { DomainError } from '../../../domain/errors.ts';
import { sumCents } from '../../../domain/money.ts';
import type { ActorRef } from '../../../domain/permissions.ts';
import { auditOf } from '../../audit.ts';
import { businessDay } from '../../business-day.ts';
import { commandActivity, type Deps, transaction } from '../../context.ts';
import { ensureExpected } from '../../expected-version.ts';
import { type LockedInvoice, lockForMoney, lockPayment } from '../../money-locks.ts';
import { recordProcessorRefund } from '../cards/card-refunds.ts';
import { reapportion } from './overlapping-returns.ts';
import type { Decline } from './refund-processor.ts';
import { giveBack, persistReturn, raiseAlert, refundOutcome } from './refund-rows.ts';

/** The card processor's answer for a refund; `given` are the receipts that it refunded. */
export interface RefundSettlement extends MoneyStep {
  given: { paymentId: string; processorRefundId: string }[];
  /** Null when it declined nothing. */
  declined: Decline | null;
}

export interface SettledRefund {
  /** Null when nothing was refunded. */
  refund: RefundOutcome | null;
  declined: Decline | null;
  /** Refunds made at the processor that had been mistaken for this one. Their sagas must start. */
  discovered: RefundOutcome[];
}

/**
 * Reserves a refund; a null `amountCents` refunds everything refundable.
 * @throws DomainError not_found, precondition_failed, refund_exceeds_paid with `{refundable}` in dollars
 */
export const reserveRefund = (deps: Deps) =>
  commandActivity<RefundPayload, LockedInvoice, RefundOutcome>(deps, 'reserveRefund', {
    lock: (em, _refundId, command) => lockForMoney(em, command.payload.invoiceId),
    work: async (em, command, locked) => {
      if (locked === null) throw new DomainError('not_found', 'There is no such invoice.');
      ensureExpected(command, locked.invoice);
      return reserve(em, deps, command, locked);
    },
  });

async function reserve(
  em: EntityManager,
  deps: Deps,
  command: Command<RefundPayload>,
  locked: LockedInvoice,
): Promise<RefundOutcome> {
  const { entityId: id, orgId, actor, requestId, payload } = command;
  const { invoice } = locked;
  const returns = await returnsOfInvoice(em, invoice.id);
  const pending = returns.filter(({ status }) => status === 'pending');
  const pendingCents = pending.reduce((sum, { appliedCents }) => sum - appliedCents, 0);
  const receipts = (await paymentsOf(em, [invoice.id])).filter(paysInvoice);
  const beside = await lockUnapplied(em, receipts);
  const unappliedCents = sumCents([...beside.values()]);
  const refundableCents = invoice.paidCents - invoice.refundedCents - pendingCents + unappliedCents;
  // What the invoice could not take goes back first, and alone unless more is named: the invoice stays as it is.
  const wantedCents = payload.amountCents ?? (unappliedCents > 0 ? unappliedCents : null);
  const amountCents = ensureRefundable(refundableCents, wantedCents);
  const taken = allocateWithUnapplied(receipts, returns, { refundCents: amountCents, unapplied: beside });
  const fromInvoiceCents = amountCents - sumCents(taken.map((each) => each.unappliedCents));
  const row = persistReturn(em, deps, locked, {
    ...{ id, kind: 'refund', status: 'pending', amountCents, appliedCents: fromInvoiceCents, reference: id },
    method: taken[0]?.receipt.method ?? 'check',
    allocations: taken.map(toAllocation),
    at: new Date(deps.now()),
    on: (await businessDay(em, orgId, deps.now())).today,
    reason: payload.reason,
    ...{ actor, requestId },
  });
  return refundOutcome(row, locked, intentsOf(receipts));
}

/** Locks the receipts that hold more than the invoice took, and reads how much, in cents. */
async function lockUnapplied(em: EntityManager, receipts: readonly Payment[]): Promise<Map<string, number>> {
  const unapplied = new Map<string, number>();
  for (const { id } of receipts.filter((each) => moneyOf(each) > each.appliedCents)) {
    const receipt = await lockReceipt(em, id);
    const cents = receipt === null ? 0 : (await heldNow(em, receipt)).unappliedCents;
    if (cents > 0) unapplied.set(id, cents);
  }
  return unapplied;
}

/** The payment intents of money that came by card, whichever invoice took it. */
function intentsOf(receipts: readonly Payment[]): Map<string, string> {
  return new Map(receipts.filter(({ method }) => method === 'card').map(({ id, reference }) => [id, reference]));
}

function toAllocation({ receipt, amountCents, unappliedCents }: MixedAllocation<Payment>): RefundAllocation {
  const { id: paymentId, method } = receipt;
  const unapplied = unappliedCents > 0 ? { unappliedCents } : {};
  return { paymentId, amountCents, ...unapplied, method, processorRefundId: null };
}

/**
 * Settles a reserved refund by the processor's answer: refunded, or declined and the reservation released. When it
 * refunded only a part before declining, that part is the refund.
 */
export const settleRefund =
  (deps: Deps) =>
  (settlement: RefundSettlement): Promise<SettledRefund> => {
    const { orgId, entityId } = settlement;
    return transaction(deps, { kind: 'settleRefund', orgId }, async (em) => {
      const found = await lockPayment(em, entityId);
      if (found === null) throw new DomainError('not_found', 'There is no such refund.');
      const { payment: row, locked } = found;
      const earlier = await commandResult(em, settlementKey(entityId));
      if (earlier !== null) return earlier as SettledRefund;
      const settled = await settle(em, deps, { settlement, row, locked });
      saveCommand(em, settlementKey(entityId), 'settleRefund', settled);
      await em.flush();
      return settled;
    });
  };

/** A refund as stored. */
export interface KnownRefund {
  refund: RefundOutcome;
  /** Null while pending, and for a refund recorded as settled from the start. */
  settled: SettledRefund | null;
  isPending: boolean;
}

/** Reads a refund for a run that does not know what an earlier run did; null when there is none. */
export const readRefund =
  (deps: Deps) =>
  ({ orgId, entityId }: MoneyStep): Promise<KnownRefund | null> =>
    transaction(deps, { kind: 'readRefund', orgId }, async (em) => {
      const found = await lockPayment(em, entityId);
      if (found === null) return null;
      const { payment: row, locked } = found;
      const receipts = await paymentsWith(
        em,
        row.allocations.map(({ paymentId }) => paymentId),
      );
      const settled = (await commandResult(em, settlementKey(entityId))) as SettledRefund | null;
      return { refund: refundOutcome(row, locked, intentsOf(receipts)), settled, isPending: row.status === 'pending' };
    });

const settlementKey = (refundId: string) => `settle:${refundId}`;

const CARD_REFUNDS: ActorRef = { kind: 'machine', id: 'refund', role: 'superadmin' };

interface Settling {
  settlement: RefundSettlement;
  row: Payment;
  /** Null for money that matches no invoice. */
  locked: LockedInvoice | null;
}

async function settle(em: EntityManager, deps: Deps, { settlement, row, locked }: Settling): Promise<SettledRefund> {
  const { given, declined } = settlement;
  const before = { status: row.status, amountCents: row.amountCents };
  const refundIds = new Map(given.map(({ paymentId, processorRefundId }) => [paymentId, processorRefundId]));
  const released = declined === null ? [] : row.allocations.filter(({ paymentId }) => !refundIds.has(paymentId));
  const isFailed = declined !== null && given.length === 0;
  if (declined !== null) raiseDecline(em, deps, row, { declined, released });
  if (isFailed) row.status = 'failed';
  else confirm(row, locked, released.length > 0, refundIds);
  const after = { status: row.status, amountCents: row.amountCents, reference: row.reference };
  const origin = { actor: CARD_REFUNDS, requestId: null, entityId: row.id };
  writeAudit(em, auditOf(origin, 'payment:settle_refund', 'payment', auditedChanges(before, after)));
  const discovered = await recordDiscovered(em, deps, released, locked);
  await reapportion(em, deps, released, locked);
  return { refund: isFailed ? null : refundOutcome(row, locked), declined, discovered };
}

/** Sets the refund to the amount actually refunded and deducts it from the invoice. */
function confirm(
  row: Payment,
  locked: LockedInvoice | null,
  isPart: boolean,
  refundIds: ReadonlyMap<string, string>,
): void {
  const kept = isPart ? row.allocations.filter(({ paymentId }) => refundIds.has(paymentId)) : row.allocations;
  row.allocations = kept.map((allocation) => ({
    ...allocation,
    processorRefundId: refundIds.get(allocation.paymentId) ?? null,
  }));
  row.amountCents = -sumCents(kept.map(({ amountCents }) => amountCents));
  row.appliedCents = row.amountCents + sumCents(kept.map(({ unappliedCents = 0 }) => unappliedCents));
  row.status = 'succeeded';
  const [only, ...others] = refundIds.values();
  row.reference = only !== undefined && others.length === 0 ? only : row.id;
  if (locked !== null) giveBack(locked.invoice, row);
}

function raiseDecline(
  em: EntityManager,
  deps: Deps,
  row: Payment,
  { declined, released }: { declined: Decline; released: Payment['allocations'] },
): void {
  const { id: paymentId, invoiceId, reference } = row;
  const amountCents = released.reduce((sum, allocation) => sum + allocation.amountCents, 0);
  raiseAlert(em, deps, {
    operation: 'refund',
    message: declined.message,
    paymentId,
    invoiceId,
    reference,
    amountCents,
  });
}

/** A reported refund may have been mistaken for the part that now turns out to be declined. */
async function recordDiscovered(
  em: EntityManager,
  deps: Deps,
  released: Payment['allocations'],
  locked: LockedInvoice | null,
): Promise<RefundOutcome[]> {
  const discovered: RefundOutcome[] = [];
  await em.flush();
  for (const { paymentId, method } of released) {
    const receipt = method === 'card' ? await findPayment(em, paymentId) : null;
    // Money that another invoice received is found by the next report on its charge.
    if (receipt === null || receipt.kind === 'application') continue;
    const returning = { receipt, locked, returns: await returnsOfReceipt(em, receipt) };
    const found = await recordProcessorRefund(em, deps, returning, { orgId: receipt.orgId, at: new Date(deps.now()) });
    if (found !== null) discovered.push(found);
  }
  return discovered;
}
