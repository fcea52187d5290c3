/**
 * Returns of kept money that await approval when the payment behind it proves never to have been good: with nothing
 * left to approve, they are rejected. Decision 0318.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { auditOf, type Origin } from '../../audit.ts';
import type { Deps } from '../../context.ts';
import type { LockedReceipt } from './refund-rows.ts';
import { eventDataOf } from './reservations.ts';

const REASON = 'The payment behind it was never good.';

/** Rejects a locked receipt's waiting returns, latest first, until the amount is free; returns them. */
export function endWaiting(
  em: EntityManager,
  deps: Deps,
  { receipt, returns }: LockedReceipt,
  { missingCents, origin }: { missingCents: number; origin: Omit<Origin, 'entityId'> },
): Payment[] {
  const ended: Payment[] = [];
  let restCents = missingCents;
  for (const row of returns.filter((each) => isWaiting(each, receipt)).toReversed()) {
    if (restCents <= 0) break;
    restCents += row.amountCents;
    reject(em, deps, row, origin);
    ended.push(row);
  }
  return ended;
}

/** Whether the return is only of the receipt's unapplied money and awaits approval. */
function isWaiting({ kind, status, appliedCents, allocations }: Payment, { id }: Payment): boolean {
  const isUnapplied = appliedCents === 0 && allocations.every(({ paymentId }) => paymentId === id);
  return kind === 'refund' && status === 'pending_approval' && isUnapplied;
}

function reject(em: EntityManager, deps: Deps, row: Payment, origin: Omit<Origin, 'entityId'>): void {
  const at = new Date(deps.now());
  const before = { status: row.status };
  row.status = 'failed';
  const decided = { decision: 'rejected', decidedBy: origin.actor.id, decidedAt: at.toISOString() } as const;
  row.approval = { requestedBy: origin.actor.id, onBehalfOf: null, ...row.approval, ...decided, reason: REASON };
  const changes = { ...auditedChanges(before, { status: row.status }), reason: REASON };
  writeAudit(em, auditOf({ ...origin, entityId: row.id }, 'payment:reject_refund', 'payment', changes));
  writeEvent(em, 'refund.rejected', eventDataOf(row), at);
}
