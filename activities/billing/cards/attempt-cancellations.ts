/**
 * Cancels at the card processor what nobody must pay any more: the attempts on a settled or void invoice, and those
 * that a later one has replaced. One that was paid in that moment stays a payment. Contract 3.4.
 */
import type { AttemptCancellationInput } from '../../../contracts/billing.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { intentsOf } from '../../../db/queries/billing/payments.ts';
import { isCancellable, obsoleteAttempts } from '../../../domain/billing/card-attempts.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import { type Deps, transaction } from '../../context.ts';
import { lockForMoney } from '../../money-locks.ts';
import { atProcessor } from './processor-calls.ts';

/** Cancels an invoice's obsolete attempts. Fails, to be retried, while the processor cannot be reached. */
export const cancelAttempts =
  (deps: Deps) =>
  async (of: AttemptCancellationInput): Promise<void> => {
    for (const intentId of await obsoleteIntents(deps, of)) {
      const { status } = await atProcessor(deps, { kind: KIND, orgId: of.orgId }, deps.card.cancelIntent(intentId));
      if (status === 'canceled') await markCancelled(deps, of, intentId);
    }
  };

const KIND = 'cancelAttempts';

const obsoleteIntents = (deps: Deps, { orgId, invoiceId }: AttemptCancellationInput): Promise<string[]> =>
  transaction(deps, { kind: KIND, orgId }, async (em) => {
    const locked = await lockForMoney(em, invoiceId);
    if (locked === null) return [];
    const isSettled = invoiceBalance(invoiceAmounts(locked.invoice)) === 0;
    const attempts = obsoleteAttempts(await intentsOf(em, invoiceId), isSettled);
    return attempts.flatMap(({ processorId }) => processorId ?? []);
  });

const markCancelled = (deps: Deps, { orgId, invoiceId }: AttemptCancellationInput, intentId: string): Promise<void> =>
  transaction(deps, { kind: KIND, orgId }, async (em) => {
    await lockForMoney(em, invoiceId);
    const attempt = (await intentsOf(em, invoiceId)).find(({ processorId }) => processorId === intentId);
    if (attempt && isCancellable(attempt)) attempt.status = 'cancelled';
  });
