/**
 * Owes money back by check: the row that a person pays from, its audit row and its event, in the caller's transaction.
 * The ledger owes it in account 2060 by then, or once the return is posted. Contract 3.4 "Ledgers".
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { Disbursement } from '../../../db/entities/billing/disbursement.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { owedCents } from '../../../domain/billing/disbursement.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { DisbursementData, EventType } from '../../../domain/events.ts';
import { type Cents, toDollars } from '../../../domain/money.ts';
import type { ActorRef } from '../../../domain/permissions.ts';
import { auditOf } from '../../audit.ts';
import type { Deps } from '../../context.ts';
import type { LockedInvoice } from '../../money-locks.ts';

/** What is owed. */
export interface OwedByCheck {
  /** The return that it pays. */
  refund: Payment;
  /** Null for money that matches no invoice. */
  locked: LockedInvoice | null;
  /** Positive. */
  amountCents: number;
  on: BusinessDate;
  /** The card refund that failed; null if the money did not come by card. */
  processorRefundId: string | null;
  actor: ActorRef;
}

/** Persists what is owed. A return owes once for the money not paid by card, and once per failed card refund. */
export function oweByCheck(em: EntityManager, deps: Deps, owed: OwedByCheck): Disbursement {
  const { refund, locked, amountCents, on, processorRefundId, actor } = owed;
  const cause = processorRefundId === null ? 'refund' : 'card_refund_failed';
  const row = addRow(em, Disbursement, {
    ...{ id: newId('disbursement'), refundId: refund.id, cause, processorRefundId, amountCents, owedOn: on },
    ...{ invoiceId: refund.invoiceId, policyId: refund.policyId, payee: locked?.invoice.insuredName ?? null },
    ...{ method: null, reference: null, issuedOn: null, clearedOn: null, stoppedOn: null, stopReason: null },
    status: 'pending',
    issues: 0,
  });
  const changes = auditedChanges(null, { status: row.status, amountCents, cause, refundId: refund.id });
  writeAudit(em, auditOf({ actor, requestId: null, entityId: row.id }, 'disbursement:owe', 'disbursement', changes));
  publishDisbursement(em, 'disbursement.created', row, { at: new Date(deps.now()) });
  return row;
}

/** Writes an event for a disbursement as it is now; `cancelledCents` is the amount this step has cancelled. */
export function publishDisbursement(
  em: EntityManager,
  type: Extract<EventType, `disbursement.${string}`>,
  row: Disbursement,
  { at, cancelledCents }: { at: Date; cancelledCents?: Cents },
): void {
  const { id: disbursementId, refundId, invoiceId, policyId, status, method, reference } = row;
  const amount = toDollars(owedCents(row));
  const facts = { disbursementId, refundId, invoiceId, policyId, amount, status, method, reference };
  const data: DisbursementData =
    cancelledCents === undefined ? facts : { ...facts, cancelledAmount: toDollars(cancelledCents) };
  writeEvent(em, type, data, at);
}
