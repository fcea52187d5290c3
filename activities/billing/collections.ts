/**
 * Attempts to collect an invoice by card. One transaction opens the attempt; one outside call creates the processor's
 * intent under the attempt's key, so that repeating it creates only one. The client secret never leaves that call.
 * Contract 3.4 "payment-intent", "retry".
 */

import { ApplicationFailure } from '@temporalio/common';
import type { CollectionAttempt, CollectOutcome, CollectPayload } from '../../contracts/billing.ts';
import type { Command } from '../../contracts/command.ts';
import type { Invoice } from '../../db/entities/billing/invoice.ts';
import { PaymentIntent } from '../../db/entities/billing/payment-intent.ts';
import { newId } from '../../db/ids.ts';
import { addRow } from '../../db/new-rows.ts';
import { invoiceAmounts } from '../../db/queries/billing/invoices.ts';
import { cardPayment, intentsOf } from '../../db/queries/billing/payments.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../domain/audit.ts';
import { invoiceBalance } from '../../domain/billing/invoice.ts';
import { ensurePayable, ensureUndisputed } from '../../domain/billing/invoice-actions.ts';
import { DomainError } from '../../domain/errors.ts';
import type { CardIntent } from '../../providers/ports.ts';
import { auditOf } from '../audit.ts';
import { asFailure, commandActivity, type Deps, transaction } from '../context.ts';
import { ensureExpected } from '../expected-version.ts';
import { type LockedInvoice, lockForMoney } from '../money-locks.ts';

/**
 * Opens an attempt, or returns the open one for the same amount; the command's entity is the invoice.
 * @throws DomainError not_found, precondition_failed, invalid_state_transition, no_failed_payment,
 * amount_exceeds_balance
 */
export const openAttempt = (deps: Deps) =>
  commandActivity<CollectPayload, LockedInvoice, CollectionAttempt>(deps, 'openAttempt', {
    lock: lockForMoney,
    work: async (em, command, locked) => {
      if (locked === null) throw new DomainError('not_found', 'There is no such invoice.');
      const { invoice } = locked;
      ensureExpected(command, invoice);
      const [latest] = await intentsOf(em, invoice.id);
      const amountCents = ensureCollectable(command.payload, invoice, latest);
      if (latest && isStillOpen(latest) && latest.amountCents === amountCents)
        return attemptOf(command, invoice, latest);
      const attempt = addRow(em, PaymentIntent, {
        id: newId('paymentIntent'),
        invoiceId: invoice.id,
        attempt: (latest?.attempt ?? 0) + 1,
        amountCents,
        processorId: null,
        status: 'creating',
      });
      const facts = auditedChanges(null, { attempt: attempt.attempt, amountCents });
      writeAudit(em, auditOf(command, 'payment:collect', 'invoice', facts));
      return attemptOf(command, invoice, attempt);
    },
  });

/**
 * Creates the processor's intent for an attempt and stores its id.
 * @throws DomainError payment_declined (and the attempt has failed), service_unavailable
 */
export const createIntent =
  (deps: Deps) =>
  async (attempt: CollectionAttempt): Promise<CollectOutcome> => {
    const { amountCents } = attempt;
    const known = attempt.intentId ?? (await intentIdOf(deps, attempt));
    if (known !== null) return { intentId: known, amountCents };
    try {
      const intent = await askProcessor(deps, attempt);
      await keepIntent(deps, attempt, intent.id);
      return { intentId: intent.id, amountCents };
    } catch (error) {
      if (error instanceof DomainError && error.code === 'payment_declined') await markDeclined(deps, attempt, error);
      throw outsideFailure(deps, attempt, error);
    }
  };

/** A retry must follow a failed attempt; any amount collected must be owed. */
function ensureCollectable(
  { amountCents, isRetry }: CollectPayload,
  invoice: Invoice,
  latest: PaymentIntent | undefined,
): number {
  ensureUndisputed(invoice.disputed, isRetry ? 'retry' : 'collect', invoiceBalance(invoiceAmounts(invoice)));
  const cents = ensurePayable(invoiceAmounts(invoice), amountCents, isRetry ? 'retry' : 'collect');
  if (!isRetry || latest?.status === 'failed') return cents;
  throw new DomainError('no_failed_payment', 'The last attempt to collect this invoice did not fail.', {
    lastAttempt: latest?.status ?? null,
  });
}

function isStillOpen({ status }: PaymentIntent): boolean {
  return status === 'creating' || status === 'open';
}

function attemptOf({ orgId }: Command<unknown>, invoice: Invoice, row: PaymentIntent): CollectionAttempt {
  const { id: attemptId, attempt, amountCents, processorId: intentId } = row;
  return { orgId, invoiceId: invoice.id, policyId: invoice.policyId, attemptId, attempt, amountCents, intentId };
}

function askProcessor(deps: Deps, attempt: CollectionAttempt): Promise<CardIntent> {
  const { orgId, invoiceId, policyId, amountCents } = attempt;
  return deps.card.createIntent({
    idempotencyKey: `pi:${invoiceId}:${attempt.attempt}:${amountCents}`,
    amountCents,
    metadata: { orgId, invoiceId, policyId },
  });
}

const intentIdOf = (deps: Deps, { orgId, attemptId }: CollectionAttempt): Promise<string | null> =>
  transaction(deps, { kind: 'createIntent', orgId }, async (em) => {
    const row = await em.findOne(PaymentIntent, { id: attemptId });
    return row?.processorId ?? null;
  });

/** The processor may already have reported the money, matched by the invoice that the intent names. */
const keepIntent = (deps: Deps, { orgId, invoiceId, attemptId }: CollectionAttempt, intentId: string): Promise<void> =>
  transaction(deps, { kind: 'createIntent', orgId }, async (em) => {
    await lockForMoney(em, invoiceId);
    const row = await em.findOneOrFail(PaymentIntent, { id: attemptId });
    row.processorId = intentId;
    if (row.status === 'creating') row.status = (await cardPayment(em, intentId)) ? 'succeeded' : 'open';
  });

/** Notes the reason on the invoice and allows a retry. */
const markDeclined = (
  deps: Deps,
  { orgId, invoiceId, attemptId }: CollectionAttempt,
  { message, details }: DomainError,
) =>
  transaction(deps, { kind: 'createIntent', orgId }, async (em) => {
    const locked = await lockForMoney(em, invoiceId);
    const row = await em.findOneOrFail(PaymentIntent, { id: attemptId });
    row.status = 'failed';
    const at = new Date(deps.now()).toISOString();
    if (locked) locked.invoice.lastPaymentError = { code: (details.code as string | undefined) ?? null, message, at };
  });

/** An unavailable processor is retried; its refusal is final. */
function outsideFailure(deps: Deps, { orgId }: CollectionAttempt, error: unknown): unknown {
  if (error instanceof DomainError && error.code === 'service_unavailable') {
    return ApplicationFailure.retryable('The card processor is unavailable.', 'service_unavailable');
  }
  return asFailure(deps, { kind: 'createIntent', orgId }, error);
}
