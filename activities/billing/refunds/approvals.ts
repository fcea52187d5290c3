/**
 * Refunds that need a second person's approval: above 1,000 dollars if the flag `refund_approval` is on, and any to an
 * insured whose name is held for sanctions. They are reserved like any other, so that the money is not refunded twice
 * meanwhile, and decided under the invoice's lock. Contract 3.4 "refund".
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentOutcome, RefundDecisionPayload, RefundOutcome } from '../../../contracts/billing.ts';
import type { Command } from '../../../contracts/machinery/command.ts';
import type { Payment, RefundApproval } from '../../../db/entities/billing/payment.ts';
import { inDispute, neverGoodOf } from '../../../db/queries/billing/disbursements.ts';
import { disbursementKeptBy } from '../../../db/queries/billing/kept-refunds.ts';
import { findPayment, paymentsWith } from '../../../db/queries/billing/payments.ts';
import { returnsOfReceipt } from '../../../db/queries/billing/refunds.ts';
import { heldNow } from '../../../db/queries/billing/unapplied-cash.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { refusedInDispute } from '../../../domain/billing/dispute.ts';
import { decidedStatus, ensureStillHeld, requestersOf } from '../../../domain/billing/refund-approval.ts';
import { ensureUnheld } from '../../../domain/claim/payee-hold.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import { judgeOf } from '../../../plans/authority/own-authority.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import { auditOf } from '../../audit.ts';
import { commandActivity, type Deps } from '../../context.ts';
import { ensureExpected } from '../../expected-version.ts';
import { type LockedPayment, lockRefund } from '../../money-locks.ts';
import { screenInsured } from '../../submission/screened-insured.ts';
import { isReturnPremiumHere, keepRejected } from './kept-returns.ts';
import { cardIntentsOf, policyCovered, raiseAlert, refundOutcome } from './refund-rows.ts';
import { NOTHING_RELEASED, releaseReserved } from './released-reservations.ts';
import { eventDataOf } from './reservations.ts';
import { NOTHING_OWED, settleUnpaidRefund } from './unpaid-refunds.ts';

/** The result of a decision. */
export interface DecidedRefund {
  refund: RefundOutcome;
  /**
   * Refunds made at the processor that were mistaken for a rejected one, and those owed in its place. Their sagas must
   * start.
   */
  discovered: RefundOutcome[];
  /** Return premium that stays with the policy. Its saga must start. */
  kept?: PaymentOutcome;
  /** The policies to notify that their debts have changed; missing where there are none. */
  policiesToNotify?: string[];
}

/**
 * Approves or rejects a refund. A rejected one releases its reservation, unless it is return premium, which stays with
 * the policy.
 * @throws DomainError not_found, forbidden for the requester, precondition_failed, invalid_state_transition, also for
 * an approval once the money has been taken back, or while a bank decides about it; not_ready for an approval while
 * the insured's name is held for sanctions
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
      const { isHeld, disputes } = await standingOf(em, row);
      const stays = isRejected && isHeld && (await isReturnPremiumHere(em, row, locked));
      const { today } = await businessDay(em, row.orgId, deps.now());
      decide(em, deps, command, row, { stays, today });
      if (!isRejected && !isHeld && disputes.length > 0) throw refusedInDispute(APPROVE, disputes);
      if (!isRejected) {
        ensureStillHeld(isHeld);
        ensureUnheld(await screenInsured(em, deps, locked?.policy.insuredName));
      }
      await em.flush();
      if (stays && locked !== null) {
        const kept = await keepRejected(em, deps, row, { locked, origin: command });
        return { refund: refundOutcome(row, locked), discovered: [], kept, policiesToNotify: [locked.policy.id] };
      }
      const released = isRejected ? await releaseReserved(em, deps, row.allocations, locked) : NOTHING_RELEASED;
      const giving = { locked, origin: command };
      const { owedCents, reserved } = isRejected ? await settleUnpaidRefund(em, deps, row, giving) : NOTHING_OWED;
      if (owedCents > 0) raiseOwed(em, deps, row, owedCents);
      const receipts = await paymentsWith(
        em,
        row.allocations.map(({ paymentId }) => paymentId),
      );
      const discovered = [...released.discovered, ...reserved];
      const toNotify = [...(released.policiesToNotify ?? []), ...(isRejected ? policyCovered(row) : [])];
      const decided = { refund: refundOutcome(row, locked, cardIntentsOf(receipts)), discovered };
      return toNotify.length === 0 ? decided : { ...decided, policiesToNotify: toNotify };
    },
  });

const APPROVE = { resource: 'refund', from: 'pending_approval', action: 'approve', allowed: ['reject'] } as const;

/** Whether a waiting refund's money is still here, and its open disputes. */
interface Standing {
  isHeld: boolean;
  disputes: string[];
}

/** Whether no chargeback or reversal has claimed the same money since: operating money would pay for what is gone. */
export async function standingOf(em: EntityManager, { allocations }: Payment): Promise<Standing> {
  const standing: Standing = { isHeld: true, disputes: [] };
  for (const { paymentId } of allocations) {
    const payment = await findPayment(em, paymentId);
    const source = payment?.sourcePaymentId ? await findPayment(em, payment.sourcePaymentId) : null;
    for (const receipt of [payment, source]) {
      if (receipt === null) continue;
      const covered = (await returnsOfReceipt(em, receipt)).filter(({ coveredCents }) => coveredCents > 0);
      if (covered.length > 0) standing.isHeld = false;
      standing.disputes.push(...openAmong(covered));
    }
    await addKept(em, standing, source ?? payment);
  }
  return standing;
}

function openAmong(returns: readonly Payment[]): string[] {
  return returns.filter(({ dispute }) => dispute?.outcome === 'open').map(({ reference }) => reference);
}

/** For a kept refund, the amount that a bank takes or may take must still be there. */
async function addKept(em: EntityManager, standing: Standing, receipt: Payment | null): Promise<void> {
  const kept = receipt && (await disbursementKeptBy(em, receipt));
  if (receipt === null || kept === null) return;
  const held = await heldNow(em, receipt);
  const { cents, disputes } = await inDispute(em, kept);
  const goneCents = Math.max(cents, await neverGoodOf(em, kept));
  if (goneCents <= held.unappliedCents + held.appliedCents) return;
  standing.isHeld = false;
  standing.disputes.push(...disputes);
}

/** A refund that stays with the policy counts as given back, though none of it is paid out. */
function decide(
  em: EntityManager,
  deps: Deps,
  command: Command<RefundDecisionPayload>,
  row: Payment,
  { stays, today }: { stays: boolean; today: BusinessDate },
): void {
  const { decision, reason } = command.payload;
  const before = { status: row.status };
  const status = decidedStatus(row.status, decision);
  row.status = stays ? 'succeeded' : status;
  const word = decision === 'approve' ? 'approved' : 'rejected';
  const at = new Date(deps.now());
  const decided: Omit<RefundApproval, 'requestedBy' | 'onBehalfOf'> = {
    ...{ decision: word, decidedBy: command.actor.id, decidedAt: at.toISOString(), decidedOn: today, reason },
  };
  row.approval = { requestedBy: command.actor.id, onBehalfOf: null, ...row.approval, ...decided };
  const changes = auditedChanges(before, { status: row.status });
  writeAudit(em, auditOf(command, `payment:${decision}_refund`, 'payment', { ...changes, reason }));
  writeEvent(em, `refund.${word}`, eventDataOf(row), at);
}

/** What a policy change owes the insured stays owed if its refund is rejected, except what they owe again. */
function raiseOwed(em: EntityManager, deps: Deps, { id, invoiceId, reference }: Payment, amountCents: number): void {
  const message = 'A refund owed because of a policy change was rejected. The money is still on the invoice.';
  raiseAlert(em, deps, {
    ...{ operation: 'refund.rejected', message, paymentId: id, invoiceId, reference, amountCents },
  });
}
