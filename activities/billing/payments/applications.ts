/**
 * Applies unapplied money to an invoice: a payment on that invoice that names the receipt it draws on. Account 2070
 * keeps the money until the invoice is fully paid and shared out. Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ApplyPayload, PaymentOutcome } from '../../../contracts/billing.ts';
import type { Command } from '../../../contracts/machinery/command.ts';
import { Payment } from '../../../db/entities/billing/payment.ts';
import { addRow } from '../../../db/new-rows.ts';
import { receiptInDispute } from '../../../db/queries/billing/disbursements.ts';
import { lockReceipt } from '../../../db/queries/billing/refunds.ts';
import { heldNow } from '../../../db/queries/billing/unapplied-cash.ts';
import { invoiceFacts } from '../../../db/queries/billing/void-invoices.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { ensureUndisputedMoney } from '../../../domain/billing/dispute.ts';
import { ensureAppliable } from '../../../domain/billing/invoice-actions.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import type { ActorRef } from '../../../domain/permissions.ts';
import { attemptsLeft, paymentOutcome } from '../../../plans/billing/payment-outcome.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import { auditOf } from '../../audit.ts';
import { commandActivity, type Deps } from '../../context.ts';
import { type LockedInvoice, lockForMoney } from '../../money-locks.ts';
import { takePayment } from './receipt-rows.ts';

/**
 * Applies money; the command's entity is the application. Policy, invoice and then receipt are locked, so that two at
 * a time never take the same cent.
 * @throws DomainError not_found, invalid_state_transition, also for money in dispute, amount_exceeds_balance
 */
export const applyUnapplied = (deps: Deps) =>
  commandActivity<ApplyPayload, LockedInvoice, PaymentOutcome>(deps, 'applyUnapplied', {
    lock: (em, _id, { payload }) => lockForMoney(em, payload.invoiceId),
    work: async (em, command, locked) => {
      const receipt = await lockReceipt(em, command.payload.paymentId);
      if (locked === null || receipt === null) throw new DomainError('not_found', 'There is no such payment.');
      return apply(em, deps, command, { ...locked, receipt });
    },
  });

async function apply(
  em: EntityManager,
  deps: Deps,
  command: Command<ApplyPayload>,
  { receipt, ...locked }: LockedInvoice & { receipt: Payment },
): Promise<PaymentOutcome> {
  const { unappliedCents } = await heldNow(em, receipt);
  const appliedCents = ensureAppliable(
    await invoiceFacts(em, locked.invoice),
    unappliedCents,
    command.payload.amountCents,
  );
  const wanted = { wantedCents: appliedCents, heldCents: unappliedCents };
  ensureUndisputedMoney(APPLY, await receiptInDispute(em, receipt), wanted);
  const { today: appliedOn } = await businessDay(em, command.orgId, deps.now());
  return persistApplication(em, locked, {
    ...{ id: command.entityId, receipt, appliedCents, appliedOn, appliedAt: new Date(deps.now()) },
    ...{ actor: command.actor, requestId: command.requestId },
  });
}

const APPLY = { resource: 'payment', from: 'disputed', action: 'apply', allowed: [] } as const;

/** A receipt's money for an invoice; `id` is the new row's. */
export interface Application {
  id: string;
  receipt: Pick<Payment, 'id' | 'method' | 'reference' | 'receivedAt'>;
  appliedCents: number;
  appliedOn: BusinessDate;
  appliedAt: Date;
  actor: ActorRef;
  requestId: string | null;
}

/**
 * Persists an application of a receipt's money, of which enough is left, to an invoice. Changed rows are flushed; the
 * new row is written when the transaction ends.
 */
export async function persistApplication(
  em: EntityManager,
  locked: LockedInvoice,
  { id, receipt, appliedCents, appliedOn, appliedAt, actor, requestId }: Application,
): Promise<PaymentOutcome> {
  const { invoice, policy } = locked;
  const before = { paidCents: invoice.paidCents };
  const completesInvoice = takePayment(invoice, appliedCents);
  await em.flush();
  const { method, reference } = receipt;
  const application = addRow(em, Payment, {
    ...{ id, kind: 'application', status: 'succeeded', method, reference },
    ...{ invoiceId: invoice.id, policyId: policy.id, sourcePaymentId: receipt.id, chargeId: null },
    ...{ amountCents: 0, appliedCents, completesInvoice },
    ...{ receivedAt: receipt.receivedAt, receivedOn: appliedOn, createdAt: appliedAt },
  });
  const changes = auditedChanges(before, { paidCents: invoice.paidCents, appliedCents, sourcePaymentId: receipt.id });
  writeAudit(em, auditOf({ actor, requestId, entityId: id }, 'payment:apply', 'payment', changes));
  return { ...paymentOutcome(application, locked), ...(await attemptsLeft(em, application)) };
}
