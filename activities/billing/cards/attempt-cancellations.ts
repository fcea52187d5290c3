/**
 * Cancels at the card processor attempts that must no longer be paid: on a settled or void invoice, or replaced by a
 * retry. One that is paid at that very moment stays a payment. Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AttemptCancellationInput } from '../../../contracts/billing.ts';
import type { PaymentIntent } from '../../../db/entities/billing/payment-intent.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { intentsOf } from '../../../db/queries/billing/payments.ts';
import { isCancellable, isObsolete } from '../../../domain/billing/card-attempts.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import { type Deps, transaction } from '../../context.ts';
import { type LockedInvoice, lockForMoney } from '../../money-locks.ts';
import { atProcessor } from './processor-calls.ts';

const KIND = 'cancelAttempt';

/** Cancels an attempt unless it is wanted again. Fails, and is retried, while the processor cannot be reached. */
export const cancelAttempt =
  (deps: Deps) =>
  async (of: AttemptCancellationInput): Promise<void> => {
    const intentId = await withAttempt(deps, of, (attempt, { invoice }) => {
      const isSettled = invoiceBalance(invoiceAmounts(invoice)) === 0;
      return isObsolete(attempt, isSettled) ? attempt.processorId : null;
    });
    if (intentId === null) return;
    const { status } = await atProcessor(deps, { kind: KIND, orgId: of.orgId }, deps.card.cancelIntent(intentId));
    if (status !== 'canceled') return;
    await withAttempt(deps, of, (attempt) => {
      if (isCancellable(attempt)) attempt.status = 'cancelled';
      return null;
    });
  };

/** Ends the cancellation of an attempt that an operator deals with by hand. */
export const leaveAttemptOpen =
  (deps: Deps) =>
  async (of: AttemptCancellationInput): Promise<void> => {
    await withAttempt(deps, of, (attempt) => {
      attempt.cancellation = 'left_out';
      return null;
    });
  };

/** Works on an attempt whose invoice is locked; null when there is none. */
const withAttempt = <Result>(
  deps: Deps,
  { orgId, invoiceId, attemptId }: AttemptCancellationInput,
  work: (attempt: PaymentIntent, locked: LockedInvoice) => Result | null,
): Promise<Result | null> =>
  transaction(deps, { kind: KIND, orgId }, async (em: EntityManager) => {
    const locked = await lockForMoney(em, invoiceId);
    const attempt = (await intentsOf(em, invoiceId)).find(({ id }) => id === attemptId);
    return locked && attempt ? work(attempt, locked) : null;
  });
