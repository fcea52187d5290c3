// Attempts to collect an invoice by card: which of them must no longer be paid, and which may be retried. Contract
// 3.4.
import { DomainError } from '../errors.ts';
import type { Cents } from '../money.ts';
import { type InvoiceAmounts, invoiceBalance } from './invoice.ts';
import { ensureCollectable, ensureUndisputed, type InvoiceFacts } from './invoice-actions.ts';

/** An attempt; `processorId` is null until the processor has answered. */
export interface CardAttempt {
  status: string;
  processorId: string | null;
  /** `due`: a retry has replaced it. `left_out`: an operator deals with it by hand. Null for all others. */
  cancellation?: AttemptCancellation | null | undefined;
}

export type AttemptCancellation = 'due' | 'left_out';

/** Whether a customer could still pay it: a failed attempt can be confirmed again. */
export function isCancellable({ status, processorId }: Pick<CardAttempt, 'status' | 'processorId'>): boolean {
  return processorId !== null && (status === 'open' || status === 'creating' || status === 'failed');
}

/** Whether the platform must cancel it: nothing is left to pay, or a retry has replaced it. */
export function isObsolete(attempt: CardAttempt, isSettled: boolean): boolean {
  const { cancellation } = attempt;
  return isCancellable(attempt) && cancellation !== 'left_out' && (isSettled || cancellation === 'due');
}

/**
 * Returns the cents that a new attempt takes; a null `amountCents` takes the whole balance. `latest` is the invoice's
 * last attempt.
 * @throws DomainError no_failed_payment, invalid_state_transition, amount_exceeds_balance
 */
export function ensureChargeable(
  invoice: InvoiceFacts & { disputed: boolean },
  latest: Pick<CardAttempt, 'status'> | undefined,
  { amountCents, action }: { amountCents: Cents | null; action: 'payment_intent' | 'retry' },
): Cents {
  ensureUndisputed(invoice.disputed, action, invoiceBalance(invoice));
  if (action === 'retry') ensureFailed(invoice, latest);
  return ensureCollectable(invoice, amountCents, action);
}

/**
 * Refuses to retry an attempt that has not failed, or whose invoice is paid; a void invoice is refused for being void.
 * @throws DomainError no_failed_payment
 */
function ensureFailed(
  { voided }: Pick<InvoiceAmounts, 'voided'>,
  latest: Pick<CardAttempt, 'status'> | undefined,
): void {
  if (voided || latest?.status === 'failed') return;
  const message = 'The last card payment of this invoice did not fail, so there is nothing to retry.';
  throw new DomainError('no_failed_payment', message, { lastAttempt: latest?.status ?? null });
}
