/** Payments entered by hand: checked and recorded in one transaction under the invoice's lock. Contract 3.4 "pay". */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentOutcome, PayPayload } from '../../../contracts/billing.ts';
import type { MoneyStep } from '../../../contracts/machinery/saga.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { manualPayment } from '../../../db/queries/billing/payments.ts';
import { invoiceFacts } from '../../../db/queries/billing/void-invoices.ts';
import { ensureNotForLapsed, ensureReceivable, ensureReceivedInTime } from '../../../domain/billing/invoice-actions.ts';
import { DomainError } from '../../../domain/errors.ts';
import { attemptsLeft, paymentOutcome } from '../../../plans/billing/payment-outcome.ts';
import { type BusinessDay, businessDay } from '../../../plans/platform/business-day.ts';
import { commandActivity, type Deps, transaction } from '../../context.ts';
import { ensureExpected } from '../../expected-version.ts';
import { type LockedInvoice, lockForMoney, lockPayment } from '../../money-locks.ts';
import { persistReceipt } from './receipt-rows.ts';

/**
 * Records a payment by check, transfer or cash; the command's entity is the new payment.
 * @throws DomainError not_found, precondition_failed, validation_failed (a received date in the future, or over a year
 * ago), already_exists, invalid_state_transition, amount_exceeds_balance
 */
export const recordPayment = (deps: Deps) =>
  commandActivity<PayPayload, LockedInvoice, PaymentOutcome>(deps, 'recordPayment', {
    lock: (em, _paymentId, command) => lockForMoney(em, command.payload.invoiceId),
    work: async (em, command, locked) => {
      if (locked === null) throw new DomainError('not_found', 'There is no such invoice.');
      ensureExpected(command, locked.invoice);
      const day = await businessDay(em, command.orgId, deps.now());
      await ensureTakes(em, command.payload, locked, day);
      const { amountCents, method, reference, receivedDate } = command.payload;
      const at = new Date(deps.now());
      return persistReceipt(em, locked, {
        paymentId: command.entityId,
        kind: 'manual',
        ...{ method, reference, amountCents },
        receivedAt: at,
        receivedOn: receivedDate ?? day.today,
        recordedAt: at,
        actor: command.actor,
        requestId: command.requestId,
      });
    },
  });

/** Reads a payment for a workflow that starts without its state; null when there is none. */
export const readPayment =
  (deps: Deps) =>
  ({ orgId, entityId }: MoneyStep): Promise<PaymentOutcome | null> =>
    transaction(deps, { kind: 'readPayment', orgId }, async (em) => {
      const found = await lockPayment(em, entityId);
      if (found === null) return null;
      return { ...paymentOutcome(found.payment, found.locked), ...(await attemptsLeft(em, found.payment)) };
    });

async function ensureTakes(
  em: EntityManager,
  payload: PayPayload,
  { invoice, policy }: LockedInvoice,
  { today }: BusinessDay,
): Promise<void> {
  const { amountCents, method, reference, receivedDate, mayExceed = false } = payload;
  ensureReceivedInTime(receivedDate, today);
  const same = await manualPayment(em, { invoiceId: invoice.id, method, reference });
  if (same !== null) {
    const facts = { resource: 'payment', paymentId: same.id };
    throw new DomainError(
      'already_exists',
      'A payment with this method and reference has already been recorded on the invoice.',
      facts,
    );
  }
  ensureNotForLapsed(policy, invoiceAmounts(invoice), payload);
  ensureReceivable(await invoiceFacts(em, invoice), amountCents, mayExceed);
}
