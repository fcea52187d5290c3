/**
 * Requested refunds: reserved under the invoice's lock, so that the same money is never refunded twice, and settled
 * when the card processor has accepted or declined. Pending in between. `refund-steps.ts` posts the ledgers. Contract
 * 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundOutcome, RefundPayload } from '../../../contracts/billing.ts';
import type { Command } from '../../../contracts/machinery/command.ts';
import type { MoneyStep } from '../../../contracts/machinery/saga.ts';
import type { Payment, RefundAllocation } from '../../../db/entities/billing/payment.ts';
import { paymentsOf, paymentsWith } from '../../../db/queries/billing/payments.ts';
import { lockReceipt, returnsOfInvoice } from '../../../db/queries/billing/refunds.ts';
import { heldNow } from '../../../db/queries/billing/unapplied-cash.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { commandResult, saveCommand } from '../../../db/queries/platform/commands.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { partsOwedBy } from '../../../domain/billing/disbursement.ts';
import { ensureRefundable } from '../../../domain/billing/invoice-actions.ts';
import { isReserved, moneyOf, paysInvoice } from '../../../domain/billing/payment.ts';
import { allocateWithUnapplied, type MixedAllocation } from '../../../domain/billing/refund.ts';
import { DomainError } from '../../../domain/errors.ts';
import { sumCents } from '../../../domain/money.ts';
import type { ActorRef } from '../../../domain/permissions.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import { auditOf } from '../../audit.ts';
import { commandActivity, type Deps, transaction } from '../../context.ts';
import { ensureExpected } from '../../expected-version.ts';
import { type LockedInvoice, lockForMoney, lockPayment, lockRefund } from '../../money-locks.ts';
import { oweByCheck } from '../disbursements/owing.ts';
import type { Decline } from './refund-processor.ts';
import { cardIntentsOf, giveBack, policyCovered, raiseAlert, refundOutcome } from './refund-rows.ts';
import { oweRefused, owesInPlaceOfCards, type RefusedPart } from './refused-returns.ts';
import { releaseReserved } from './released-reservations.ts';
import { persistReservation } from './reservations.ts';
import { NOTHING_OWED, settleUnpaidRefund } from './unpaid-refunds.ts';

/** The card processor's answer for a refund; `given` lists the receipts that it refunded. */
export interface RefundSettlement extends MoneyStep {
  given: { paymentId: string; processorRefundId: string }[];
  /** Return premium receipts whose cards will never take it back. */
  refused?: RefusedPart[];
  /** The first one; null when it declined nothing. */
  declined: Decline | null;
}

export interface SettledRefund {
  /** Null when nothing was refunded. */
  refund: RefundOutcome | null;
  declined: Decline | null;
  /** Refunds made at the processor that were mistaken for this one, and those owed instead. Their sagas start. */
  discovered: RefundOutcome[];
  /** The policies to notify that their debts have changed; missing where there are none. */
  policiesToNotify?: string[];
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
  const reserved = returns.filter(({ status }) => isReserved(status));
  const reservedCents = reserved.reduce((sum, { appliedCents }) => sum - appliedCents, 0);
  const receipts = (await paymentsOf(em, [invoice.id])).filter(paysInvoice);
  const beside = await lockUnapplied(em, receipts);
  const unappliedCents = sumCents([...beside.values()]);
  const refundableCents = invoice.paidCents - invoice.refundedCents - reservedCents + unappliedCents;
  // Unapplied money goes back first, and alone unless more is named: the invoice then stays as it is.
  const wantedCents = payload.amountCents ?? (unappliedCents > 0 ? unappliedCents : null);
  const amountCents = ensureRefundable(refundableCents, wantedCents);
  const taken = allocateWithUnapplied(receipts, returns, { refundCents: amountCents, unapplied: beside });
  const fromInvoiceCents = amountCents - sumCents(taken.map((each) => each.unappliedCents));
  const row = await persistReservation(em, deps, locked, {
    ...{ id, amountCents, appliedCents: fromInvoiceCents },
    method: taken[0]?.receipt.method ?? 'check',
    allocations: taken.map(toAllocation),
    at: new Date(deps.now()),
    on: (await businessDay(em, orgId, deps.now())).today,
    reason: payload.reason,
    ...{ actor, requestId },
  });
  return refundOutcome(row, locked, cardIntentsOf(receipts));
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

/** Always names the unapplied amount, even 0: beside parts that name it, one without would count as all unapplied. */
function toAllocation({ receipt, amountCents, unappliedCents }: MixedAllocation<Payment>): RefundAllocation {
  const { id: paymentId, method } = receipt;
  return { paymentId, amountCents, unappliedCents, method, processorRefundId: null };
}

/**
 * Settles a reserved refund by the processor's answer: refunded, or declined and the reservation released. If it
 * refunded only a part before declining, that part is the refund.
 */
export const settleRefund =
  (deps: Deps) =>
  (settlement: RefundSettlement): Promise<SettledRefund> => {
    const { orgId, entityId } = settlement;
    return transaction(deps, { kind: 'settleRefund', orgId }, async (em) => {
      const found = await lockRefund(em, entityId);
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
  /** True for one that was declined or rejected. */
  isFailed: boolean;
}

/** Reads a refund for a run that does not know what an earlier run did; null if none. */
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
      const [isPending, isFailed] = [row.status === 'pending', row.status === 'failed'];
      return { refund: refundOutcome(row, locked, cardIntentsOf(receipts)), settled, isPending, isFailed };
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
  const { given, refused = [], declined } = settlement;
  const before = { status: row.status, amountCents: row.amountCents };
  const byCheck = (await owesInPlaceOfCards(em, row, locked, settlement)) ? refused : [];
  const isOwed = declined === null || byCheck.length > 0;
  const refundIds = refundIdsOf([...given, ...byCheck]);
  const released = isOwed ? [] : row.allocations.filter(({ paymentId }) => !refundIds.has(paymentId));
  const isFailed = !isOwed && given.length === 0;
  if (declined !== null && !isOwed) raiseDecline(em, deps, row, { declined, released });
  if (isFailed) row.status = 'failed';
  else {
    confirm(row, released.length > 0, refundIds);
    await oweRefused(em, deps, row, { locked, refused: byCheck, actor: CARD_REFUNDS });
    if (locked !== null) await giveBack(em, locked.invoice, row);
    await oweTheRest(em, deps, row, locked);
  }
  const after = { status: row.status, amountCents: row.amountCents, reference: row.reference };
  const origin = { actor: CARD_REFUNDS, requestId: null, entityId: row.id };
  writeAudit(em, auditOf(origin, 'payment:settle_refund', 'payment', auditedChanges(before, after)));
  const { discovered, policiesToNotify } = await releaseReserved(em, deps, released, locked);
  const giving = { locked, origin };
  const { reserved } = released.length > 0 ? await settleUnpaidRefund(em, deps, row, giving) : NOTHING_OWED;
  const refund = isFailed ? null : refundOutcome(row, locked);
  // Money owed by check pays past-due bills before a demand goes out.
  const isNowByCheck = byCheck.length > 0 && locked !== null;
  const toNotify = [...policiesToNotify, ...policyCovered(row), ...(isNowByCheck ? [locked.policy.id] : [])];
  const answer = { refund, declined, discovered: [...discovered, ...reserved] };
  return toNotify.length === 0 ? answer : { ...answer, policiesToNotify: toNotify };
}

/** A refund made but failed has an id like any other. */
function refundIdsOf(parts: readonly RefusedPart[]): Map<string, string> {
  return new Map(
    parts.flatMap(({ paymentId, processorRefundId }) =>
      processorRefundId === null ? [] : [[paymentId, processorRefundId]],
    ),
  );
}

/** Sets the refund to the amount actually refunded. */
function confirm(row: Payment, isPart: boolean, refundIds: ReadonlyMap<string, string>): void {
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
}

/** Money that did not come by card leaves the trust by check. */
async function oweTheRest(em: EntityManager, deps: Deps, row: Payment, locked: LockedInvoice | null): Promise<void> {
  const byCheck = partsOwedBy({ cause: 'refund', processorRefundId: null }, row.allocations);
  if (byCheck.length === 0) return;
  const amountCents = sumCents(byCheck.map((allocation) => allocation.amountCents));
  const { today: on } = await businessDay(em, row.orgId, deps.now());
  oweByCheck(em, deps, { refund: row, locked, amountCents, on, processorRefundId: null, actor: CARD_REFUNDS });
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
