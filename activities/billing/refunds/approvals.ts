/**
 * Refunds above 1,000 dollars that wait until somebody else approves them, where the flag `refund_approval` is on:
 * reserved like any other, so that the same money is not refunded twice meanwhile, and decided under the invoice's
 * lock. Contract 3.4 "refund".
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundDecisionPayload, RefundOutcome } from '../../../contracts/billing.ts';
import type { Command } from '../../../contracts/machinery/command.ts';
import type { Payment, RefundApproval } from '../../../db/entities/billing/payment.ts';
import { findPayment, paymentsWith } from '../../../db/queries/billing/payments.ts';
import { returnsOfReceipt } from '../../../db/queries/billing/refunds.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { isFlagOn } from '../../../db/queries/platform/flags.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { requiresApproval } from '../../../domain/billing/refund.ts';
import { decidedStatus, ensureStillHeld, requestersOf } from '../../../domain/billing/refund-approval.ts';
import { DomainError } from '../../../domain/errors.ts';
import { toDollars } from '../../../domain/money.ts';
import type { ActorRef } from '../../../domain/permissions.ts';
import { auditOf, SYSTEM } from '../../audit.ts';
import { judgeOf } from '../../authority/own-authority.ts';
import { behind } from '../../authority/requesters.ts';
import { commandActivity, type Deps } from '../../context.ts';
import { ensureExpected } from '../../expected-version.ts';
import { type LockedInvoice, type LockedPayment, lockPayment } from '../../money-locks.ts';
import { intentsOf, persistReturn, type ReturnFacts, raiseAlert, refundOutcome } from './refund-rows.ts';
import { releaseReserved } from './released-reservations.ts';
import { creditUngiven } from './ungiven-refunds.ts';

/** Persists a reserved refund: it waits for approval if it needs one. */
export async function persistReservation(
  em: EntityManager,
  deps: Deps,
  locked: LockedInvoice | null,
  facts: Omit<ReturnFacts, 'kind' | 'status' | 'reference'>,
): Promise<Payment> {
  // Without a policy the receipt is what stays the same: another request for its money is not another chance.
  const subject = locked?.policy.id ?? facts.allocations[0]?.paymentId;
  const awaits = requiresApproval(facts.amountCents) && (await isFlagOn(em, 'refund_approval', subject));
  const status = awaits ? 'pending_approval' : 'pending';
  const row = persistReturn(em, deps, locked, { ...facts, kind: 'refund', status, reference: facts.id });
  if (!awaits) return row;
  row.approval = await requestOf(em, facts.requestedBy ?? [facts.actor]);
  writeEvent(em, 'refund.approval_requested', eventDataOf(row), new Date(deps.now()));
  return row;
}

/** Who stands behind it. */
async function requestOf(em: EntityManager, actors: readonly ActorRef[]): Promise<RefundApproval> {
  const [first = SYSTEM, ...rest] = actors;
  const others: string[] = [];
  for (const other of rest) others.push(...(await behind(em, other)));
  const [, onBehalfOf = null] = await behind(em, first);
  const undecided = { decision: null, decidedBy: null, decidedAt: null, reason: null };
  return { requestedBy: first.id, onBehalfOf, ...(others.length > 0 ? { others } : {}), ...undecided };
}

/** What a decision has done. */
export interface DecidedRefund {
  refund: RefundOutcome;
  /** Refunds made at the processor that had been mistaken for a rejected one. Their sagas must start. */
  discovered: RefundOutcome[];
}

/**
 * Approves or rejects a refund. A rejected one releases its reservation.
 * @throws DomainError not_found, forbidden for who requested it, precondition_failed, invalid_state_transition, also
 * for an approval once the money has been taken back
 */
export const decideRefund = (deps: Deps) =>
  commandActivity<RefundDecisionPayload, LockedPayment, DecidedRefund>(deps, 'decideRefund', {
    lock: lockPayment,
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
      const discovered = isRejected ? await releaseReserved(em, deps, row.allocations, locked) : [];
      const owedCents = isRejected ? await creditUngiven(em, deps, row, { locked, origin: command }) : 0;
      if (owedCents > 0) raiseOwed(em, deps, row, owedCents);
      const receipts = await paymentsWith(
        em,
        row.allocations.map(({ paymentId }) => paymentId),
      );
      return { refund: refundOutcome(row, locked, intentsOf(receipts)), discovered };
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

function eventDataOf({ id: refundId, invoiceId, policyId, amountCents, status }: Payment) {
  return { refundId, invoiceId, policyId, amount: toDollars(-amountCents), status };
}
