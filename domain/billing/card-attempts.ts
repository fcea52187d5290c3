// Attempts to collect an invoice by card: which of them must no longer be paid, and which may be retried. Contract
// 3.4.
import { DomainError } from '../errors.ts';
import type { InvoiceAmounts } from './invoice.ts';

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
 * Refuses to retry an attempt that has not failed, or whose invoice is paid; a void invoice is refused for being void.
 * @throws DomainError no_failed_payment
 */
export function ensureFailed(
  { voided }: Pick<InvoiceAmounts, 'voided'>,
  latest: Pick<CardAttempt, 'status'> | undefined,
): void {
  if (voided || latest?.status === 'failed') return;
  const message = 'The last card payment of this invoice did not fail, so there is nothing to retry.';
  throw new DomainError('no_failed_payment', message, { lastAttempt: latest?.status ?? null });
}
