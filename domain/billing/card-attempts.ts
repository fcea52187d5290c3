// Attempts to collect an invoice by card: which of them must not be paid any more, and which may be retried.
// Contract 3.4.
import { DomainError } from '../errors.ts';
import type { InvoiceAmounts } from './invoice.ts';

/** An attempt; `processorId` is null until the processor has answered. */
export interface CardAttempt {
  attempt: number;
  status: string;
  processorId: string | null;
}

/** Whether a customer could still pay it: one that failed can be confirmed again. */
export function isCancellable({ status, processorId }: CardAttempt): boolean {
  return processorId !== null && (status === 'open' || status === 'creating' || status === 'failed');
}

/** Lists the attempts to cancel: all of a settled invoice, otherwise those that a later one has replaced. */
export function obsoleteAttempts<Attempt extends CardAttempt>(
  attempts: readonly Attempt[],
  isSettled: boolean,
): Attempt[] {
  const latest = Math.max(...attempts.map(({ attempt }) => attempt));
  return attempts.filter((each) => isCancellable(each) && (isSettled || each.attempt < latest));
}

/**
 * Refuses to retry what has not failed, also once the invoice is paid; a void one is refused for being void.
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
