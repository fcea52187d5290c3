/**
 * Money owed back by check that has not left the trust stays on the insured's account: the disbursement owes that much
 * less, and a receipt holds it as unapplied money, moved from 2060 to 2070. Decision 0290.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentOutcome } from '../../../contracts/billing.ts';
import type { Disbursement } from '../../../db/entities/billing/disbursement.ts';
import { newId } from '../../../db/ids.ts';
import {
  disbursementsToKeep,
  inDispute,
  lockDisbursement,
  notOwed,
} from '../../../db/queries/billing/disbursements.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { KEPT_REFUND } from '../../../domain/billing/payment.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { ActorRef } from '../../../domain/permissions.ts';
import { auditOf } from '../../audit.ts';
import type { Deps } from '../../context.ts';
import { lockForMoney, lockPayment } from '../../money-locks.ts';
import { persistReceipt } from '../payments/receipt-rows.ts';
import { publishDisbursement } from './owing.ts';

export interface KeptMoney {
  amountCents: number;
  reason: string;
  actor: ActorRef;
  requestId: string | null;
  today: BusinessDate;
  at: Date;
}

/** Keeps part of a locked disbursement, or all of it, which ends it. Flushes changed rows. */
export async function keepUnapplied(em: EntityManager, row: Disbursement, keeping: KeptMoney): Promise<PaymentOutcome> {
  const { amountCents, reason, actor, requestId, today, at } = keeping;
  const locked = row.invoiceId === null ? null : await lockForMoney(em, row.invoiceId);
  // Each kept part has its own reference.
  const reference = row.keptCents === 0 ? row.id : `${row.id}:${row.keptCents}`;
  row.keptCents += amountCents;
  row.cancelledCents += amountCents;
  if (row.cancelledCents === row.amountCents) row.status = 'cancelled';
  Object.assign(row, { cancelledOn: today, cancelReason: reason });
  return persistReceipt(em, locked, {
    ...{ paymentId: newId('payment'), kind: 'manual', method: KEPT_REFUND, reference, amountCents },
    ...{ receivedAt: at, receivedOn: today, recordedAt: at, actor, requestId },
  });
}

/** Keeps part of a locked disbursement, with its audit row and event. */
export async function keepAudited(
  em: EntityManager,
  deps: Deps,
  row: Disbursement,
  keeping: Omit<KeptMoney, 'at'>,
): Promise<PaymentOutcome> {
  const at = new Date(deps.now());
  const before = { status: row.status, cancelledCents: row.cancelledCents };
  const kept = await keepUnapplied(em, row, { ...keeping, at });
  const changes = auditedChanges(before, { status: row.status, cancelledCents: row.cancelledCents });
  const origin = { actor: keeping.actor, requestId: keeping.requestId, entityId: row.id };
  writeAudit(em, auditOf(origin, 'disbursement:cancel', 'disbursement', changes));
  publishDisbursement(em, 'disbursement.cancelled', row, { at, cancelledCents: keeping.amountCents });
  return kept;
}

/**
 * Keeps up to an amount of the money owed back on a locked policy and not yet paid out, oldest first; returns the
 * receipts, whose sagas must start.
 */
export async function keepForPolicy(
  em: EntityManager,
  deps: Deps,
  policyId: string,
  { amountCents, ...keeping }: Omit<KeptMoney, 'at'>,
): Promise<PaymentOutcome[]> {
  const kept: PaymentOutcome[] = [];
  let shortCents = amountCents;
  for (const { id, refundId } of await disbursementsToKeep(em, policyId)) {
    await lockPayment(em, refundId);
    const row = await lockDisbursement(em, id);
    if (row === null || shortCents <= 0 || (row.status !== 'pending' && row.status !== 'stopped')) continue;
    if ((await notOwed(em, row)).cents > 0 || (await inDispute(em, row)).cents > 0) continue;
    const cents = Math.min(shortCents, row.amountCents - row.cancelledCents);
    shortCents -= cents;
    kept.push(await keepAudited(em, deps, row, { ...keeping, amountCents: cents }));
  }
  return kept;
}
