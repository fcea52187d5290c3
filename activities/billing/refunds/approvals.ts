/**
 * Refunds above 1,000 dollars that wait until somebody else approves them, where the flag `refund_approval` is on:
 * reserved like any other, so that the same money is not refunded twice meanwhile, and decided under the invoice's
 * lock. Contract 3.4 "refund".
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundDecisionPayload, RefundOutcome } from '../../../contracts/billing.ts';
import type { Command } from '../../../contracts/machinery/command.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { findPayment, paymentsWith } from '../../../db/queries/billing/payments.ts';
import { returnsOfReceipt } from '../../../db/queries/billing/refunds.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { decidedStatus, ensureStillHeld, requestersOf } from '../../../domain/billing/refund-approval.ts';
import { DomainError } from '../../../domain/errors.ts';
import { auditOf } from '../../audit.ts';
import { judgeOf } from '../../authority/own-authority.ts';
import { commandActivity, type Deps } from '../../context.ts';
import { ensureExpected } from '../../expected-version.ts';
import { type LockedPayment, lockRefund } from '../../money-locks.ts';
import { intentsOf, raiseAlert, refundOutcome } from './refund-rows.ts';
import { NOTHING_RELEASED, releaseReserved } from './released-reservations.ts';
import { eventDataOf } from './reservations.ts';
import { NOTHING_OWED, settleUnpaidRefund } from './unpaid-refunds.ts';

/** What a decision has done. */
export interface DecidedRefund {
  refund: RefundOutcome;
  /**
   * Refunds made at the processor that had been mistaken for a rejected one, and those that are owed in its place.
   * Their sagas must start.
   */
  discovered: RefundOutcome[];
  /** The policies to notify that their debts have changed; missing where there are none. */
  policiesToNotify?: string[];
}

/**
 * Approves or rejects a refund. A rejected one releases its reservation.
 * @throws DomainError not_found, forbidden for who requested it, precondition_failed, invalid_state_transition, also
 * for an approval once the money has been taken back
 */
export const decideRefund = (deps: Deps) =>
  commandActivity<RefundDecisionPayload, LockedPayment, DecidedRefund>(deps, 'decideRefund', {
    lock: lockRefund,
    work: async (em, command, found) => {
      if (found?.payment.kind !== 'refund') throw new DomainError('not_found', 'There is no such refund.');
      const { payment: row, locked } = found;
      const judge = await judgeOf(em, command, 'refund:approve');
      judge({ orgId: row.orgId, requestedBy: requestersOf(row.approval) });
      ensureExpected(command, row);
      const isRejected = command.payload.decision === 'reject';
      decide(em, deps, command, row);
      if (!isRejected) ensureStillHeld(await isHeld(em, row));
      await em.flush();
      const released = isRejected ? await releaseReserved(em, deps, row.allocations, locked) : NOTHING_RELEASED;
      const giving = { locked, origin: command };
      const { owedCents, reserved } = isRejected ? await settleUnpaidRefund(em, deps, row, giving) : NOTHING_OWED;
      if (owedCents > 0) raiseOwed(em, deps, row, owedCents);
      const receipts = await paymentsWith(
        em,
        row.allocations.map(({ paymentId }) => paymentId),
      );
      const discovered = [...released.discovered, ...reserved];
      return { ...released, refund: refundOutcome(row, locked, intentsOf(receipts)), discovered };
    },
  });

/** Whether no chargeback or reversal has counted on the same money since: what is gone, operating money would pay. */
async function isHeld(em: EntityManager, { allocations }: Payment): Promise<boolean> {
  for (const { paymentId } of allocations) {
    const payment = await findPayment(em, paymentId);
    const source = payment?.sourcePaymentId ? await findPayment(em, payment.sourcePaymentId) : null;
    for (const receipt of [payment, source]) {
      const returns = receipt === null ? [] : await returnsOfReceipt(em, receipt);
      if (returns.some(({ coveredCents }) => coveredCents > 0)) return false;
    }
  }
  return true;
}

function decide(em: EntityManager, deps: Deps, command: Command<RefundDecisionPayload>, row: Payment): void {
  const { decision, reason } = command.payload;
  const before = { status: row.status };
  row.status = decidedStatus(row.status, decision);
  const word = decision === 'approve' ? 'approved' : 'rejected';
  const at = new Date(deps.now());
  const decided = { decision: word, decidedBy: command.actor.id, decidedAt: at.toISOString(), reason } as const;
  row.approval = { requestedBy: command.actor.id, onBehalfOf: null, ...row.approval, ...decided };
  const changes = auditedChanges(before, { status: row.status });
  writeAudit(em, auditOf(command, `payment:${decision}_refund`, 'payment', { ...changes, reason }));
  writeEvent(em, `refund.${word}`, eventDataOf(row), at);
}

/** What a policy change owes the insured stays owed when its refund is rejected, as far as they do not owe it again. */
function raiseOwed(em: EntityManager, deps: Deps, { id, invoiceId, reference }: Payment, amountCents: number): void {
  const message = 'A refund owed because of a policy change was rejected. The money is still on the invoice.';
  raiseAlert(em, deps, {
    ...{ operation: 'refund.rejected', message, paymentId: id, invoiceId, reference, amountCents },
  });
}
