/**
 * Returns of unapplied money: reserved under the receipt's lock, then settled and posted like any refund. It was never
 * shared out, so it only leaves account 2070. Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundOutcome, ReturnPayload } from '../../../contracts/billing.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { newId } from '../../../db/ids.ts';
import { receiptInDispute } from '../../../db/queries/billing/disbursements.ts';
import { findPayment } from '../../../db/queries/billing/payments.ts';
import { lockReceipt } from '../../../db/queries/billing/refunds.ts';
import { heldNow, receiptsBeyondInvoices } from '../../../db/queries/billing/unapplied-cash.ts';
import { ensureUndisputedMoney, undisputedCents } from '../../../domain/billing/dispute.ts';
import { ensureRefundable } from '../../../domain/billing/invoice-actions.ts';
import { DomainError } from '../../../domain/errors.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import { commandActivity, type Deps } from '../../context.ts';
import type { LockedInvoice } from '../../money-locks.ts';
import { cardIntentsOf, type LockedReceipt, lockReturning, type ReturnFacts, refundOutcome } from './refund-rows.ts';
import { persistReservation } from './reservations.ts';

/**
 * Reserves the return of a receipt's unapplied money; a null `amountCents` returns all that is left.
 * @throws DomainError not_found, refund_exceeds_paid with `{amount, refundable}` in dollars, invalid_state_transition
 * for money in dispute
 */
export const reserveReturn = (deps: Deps) =>
  commandActivity<ReturnPayload, LockedReceipt, RefundOutcome>(deps, 'reserveReturn', {
    lock: async (em, _id, { payload }) => {
      const found = await findPayment(em, payload.paymentId);
      return found && lockReturning(em, found);
    },
    work: async (em, { entityId: id, orgId, actor, requestId, payload }, returning) => {
      if (returning === null) throw new DomainError('not_found', 'There is no such payment.');
      const { receipt, locked } = returning;
      const { unappliedCents } = await heldNow(em, receipt);
      const amountCents = ensureRefundable(unappliedCents, payload.amountCents);
      const wanted = { wantedCents: amountCents, heldCents: unappliedCents };
      ensureUndisputedMoney(RETURN, await receiptInDispute(em, receipt), wanted);
      const facts = { at: new Date(deps.now()), on: (await businessDay(em, orgId, deps.now())).today };
      const origin = { ...facts, actor, requestId, reason: payload.reason };
      const row = await persistReserved(em, deps, { receipt, locked, amountCents }, { ...origin, id });
      return refundOutcome(row, locked, cardIntentsOf([receipt]));
    },
  });

const RETURN = { resource: 'payment', from: 'disputed', action: 'return', allowed: [] } as const;

type Origin = Pick<ReturnFacts, 'at' | 'on' | 'actor' | 'requestedBy' | 'requestId' | 'reason'>;

/**
 * Reserves the return of all of a locked policy's undisputed unapplied money; returns the refunds whose sagas must
 * start.
 */
export async function reserveUnapplied(
  em: EntityManager,
  deps: Deps,
  { policy, invoices }: { policy: LockedInvoice['policy']; invoices: readonly LockedInvoice['invoice'][] },
  origin: Origin,
): Promise<string[]> {
  const ids: string[] = [];
  for (const { id: receiptId } of await receiptsBeyondInvoices(em, [policy.id])) {
    const receipt = await lockReceipt(em, receiptId);
    if (receipt === null) continue;
    const { unappliedCents } = await heldNow(em, receipt);
    const amountCents = undisputedCents(unappliedCents, await receiptInDispute(em, receipt));
    if (amountCents === 0) continue;
    const invoice = invoices.find((each) => each.id === receipt.invoiceId);
    const locked = invoice ? { policy, invoice } : null;
    const id = newId('refund');
    await persistReserved(em, deps, { receipt, locked, amountCents }, { ...origin, id });
    ids.push(id);
  }
  return ids;
}

function persistReserved(
  em: EntityManager,
  deps: Deps,
  { receipt, locked, amountCents }: { receipt: Payment; locked: LockedInvoice | null; amountCents: number },
  origin: Origin & { id: string },
): Promise<Payment> {
  const { id: paymentId, method } = receipt;
  const allocation = { paymentId, amountCents, unappliedCents: amountCents, method, processorRefundId: null };
  return persistReservation(em, deps, locked, {
    ...origin,
    ...{ amountCents, appliedCents: 0, method, allocations: [allocation] },
  });
}
