/**
 * Attempts to collect an invoice by card. One transaction opens the attempt; one outside call creates the processor's
 * intent under the attempt's key, so that a repeat creates no second one. The client secret never leaves that call.
 * Contract 3.4 "payment-intent", "retry".
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import type { CollectionAttempt, CollectOutcome, CollectPayload, ObsoleteAttempt } from '../../contracts/billing.ts';
import type { Command } from '../../contracts/machinery/command.ts';
import type { Invoice } from '../../db/entities/billing/invoice.ts';
import { PaymentIntent } from '../../db/entities/billing/payment-intent.ts';
import { newId } from '../../db/ids.ts';
import { addRow } from '../../db/new-rows.ts';
import { invoiceAmounts } from '../../db/queries/billing/invoices.ts';
import { cardPayment, intentsOf } from '../../db/queries/billing/payments.ts';
import { invoiceFacts } from '../../db/queries/billing/void-invoices.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../domain/audit.ts';
import { ensureChargeable, isCancellable } from '../../domain/billing/card-attempts.ts';
import { invoiceBalance } from '../../domain/billing/invoice.ts';
import { DomainError } from '../../domain/errors.ts';
import type { CardIntent } from '../../providers/ports.ts';
import { auditOf } from '../audit.ts';
import { commandActivity, type Deps, transaction } from '../context.ts';
import { ensureExpected } from '../expected-version.ts';
import { type LockedInvoice, lockForMoney } from '../money-locks.ts';
import { processorFailure } from './cards/processor-calls.ts';

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
      const attempts = await intentsOf(em, invoice.id);
      const [latest] = attempts;
      const { amountCents: wantedCents, isRetry } = command.payload;
      const action = isRetry ? 'retry' : 'payment_intent';
      ensureNotCharging(attempts, action);
      const owed = await invoiceFacts(em, invoice);
      const amountCents = ensureChargeable(owed, latest, { amountCents: wantedCents, action });
      if (latest && isStillOpen(latest) && latest.amountCents === amountCents)
        return attemptOf(command, invoice, latest);
      const attempt = addNext(em, { invoiceId: invoice.id, amountCents, latest });
      const facts = auditedChanges(null, { attempt: attempt.attempt, amountCents });
      writeAudit(em, auditOf(command, 'payment:collect', 'invoice', facts));
      const supersedes = isRetry ? superseded(attempts) : [];
      return { ...attemptOf(command, invoice, attempt), ...(supersedes.length > 0 ? { supersedes } : {}) };
    },
  });

/**
 * Creates the processor's intent for an attempt and stores its id.
 * @throws DomainError payment_declined (and the attempt has failed), service_unavailable
 */
export const createIntent =
  (deps: Deps) =>
  async (given: CollectionAttempt): Promise<CollectOutcome> => {
    const { amountCents } = given;
    let attempt = given;
    try {
      const known = await intentIdOf(deps, attempt);
      if (known !== null) {
        if ((await deps.card.readIntent(known)).status !== 'canceled') return { intentId: known, amountCents };
        attempt = await replaceCancelled(deps, attempt);
      }
      const intent = await askProcessor(deps, attempt);
      const { attempts, ...obsolete } = await keepIntent(deps, attempt, intent.id);
      // Autopay may have started meanwhile without knowing of this intent to cancel: no one may pay it.
      ensureNotCharging(attempts, 'payment_intent');
      return { intentId: intent.id, amountCents, ...obsolete };
    } catch (error) {
      if (error instanceof DomainError && error.code === 'payment_declined') await markDeclined(deps, attempt, error);
      throw processorFailure(deps, { kind: 'createIntent', orgId: attempt.orgId }, error);
    }
  };

/** A bill that autopay is charging right now must not be paid twice. */
function ensureNotCharging(attempts: readonly PaymentIntent[], action: 'payment_intent' | 'retry'): void {
  if (!attempts.some((each) => each.autopaySetupId && isStillOpen(each))) return;
  const details = { resource: 'invoice', from: 'charging', action, allowed: [] };
  throw new DomainError('invalid_state_transition', 'Autopay is charging this invoice. Try again shortly.', details);
}

/** A retry replaces every earlier attempt that could still be paid. */
function superseded(attempts: readonly PaymentIntent[]): ObsoleteAttempt[] {
  const earlier = attempts.filter(isCancellable);
  for (const attempt of earlier) attempt.cancellation ??= 'due';
  return earlier.map(({ id, invoiceId }) => ({ invoiceId, attemptId: id }));
}

function addNext(
  em: EntityManager,
  { invoiceId, amountCents, latest }: { invoiceId: string; amountCents: number; latest: PaymentIntent | undefined },
): PaymentIntent {
  return addRow(em, PaymentIntent, {
    ...{ id: newId('paymentIntent'), invoiceId, attempt: (latest?.attempt ?? 0) + 1, amountCents },
    ...{ processorId: null, status: 'creating' },
  });
}

/** The processor has cancelled the attempt but not reported it yet: another one takes its place, once. */
const replaceCancelled = (
  deps: Deps,
  { orgId, invoiceId, ...attempt }: CollectionAttempt,
): Promise<CollectionAttempt> =>
  transaction(deps, { kind: 'createIntent', orgId }, async (em) => {
    await lockForMoney(em, invoiceId);
    const attempts = await intentsOf(em, invoiceId);
    const cancelled = attempts.find(({ id }) => id === attempt.attemptId);
    // Before it charges, autopay cancels what a person has begun.
    ensureNotCharging(attempts, 'payment_intent');
    if (cancelled && isStillOpen(cancelled)) cancelled.status = 'cancelled';
    await em.flush();
    const [latest] = attempts;
    const { amountCents } = attempt;
    const isThere =
      latest && latest.id !== attempt.attemptId && isStillOpen(latest) && latest.amountCents === amountCents;
    const next = isThere ? latest : addNext(em, { invoiceId, amountCents, latest });
    const facts = { attemptId: next.id, attempt: next.attempt, intentId: next.processorId };
    return { ...attempt, ...facts, orgId, invoiceId };
  });

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

/** @throws DomainError invalid_state_transition once autopay charges the bill: no one else may pay it */
const intentIdOf = (deps: Deps, { orgId, invoiceId, attemptId }: CollectionAttempt): Promise<string | null> =>
  transaction(deps, { kind: 'createIntent', orgId }, async (em) => {
    const attempts = await intentsOf(em, invoiceId);
    ensureNotCharging(attempts, 'payment_intent');
    return attempts.find(({ id }) => id === attemptId)?.processorId ?? null;
  });

/**
 * The processor may already have reported the money, matched by the invoice that the intent names. The attempt is
 * obsolete when nothing is left to collect.
 */
const keepIntent = (
  deps: Deps,
  { orgId, invoiceId, attemptId }: CollectionAttempt,
  intentId: string,
): Promise<{ attempts: PaymentIntent[]; obsoleteAttempts?: ObsoleteAttempt[] }> =>
  transaction(deps, { kind: 'createIntent', orgId }, async (em) => {
    const locked = await lockForMoney(em, invoiceId);
    const row = await em.findOneOrFail(PaymentIntent, { id: attemptId });
    row.processorId = intentId;
    if (row.status === 'creating') row.status = (await cardPayment(em, intentId)) ? 'succeeded' : 'open';
    const isSettled = locked !== null && invoiceBalance(invoiceAmounts(locked.invoice)) === 0;
    const attempts = await intentsOf(em, invoiceId);
    const isNotWanted = row.status === 'open' && isSettled;
    return { attempts, ...(isNotWanted ? { obsoleteAttempts: [{ invoiceId, attemptId }] } : {}) };
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
