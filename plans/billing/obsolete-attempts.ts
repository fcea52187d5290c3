// The card attempts on an invoice to cancel, as a step's outcome reports them to its workflow.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ObsoleteAttempt } from '../../contracts/billing.ts';
import { intentsOf } from '../../db/queries/billing/payments.ts';
import { isObsolete } from '../../domain/billing/card-attempts.ts';

/** Reads them; the outcome omits the field if there are none. */
export async function obsoleteAttemptsOn(
  em: EntityManager,
  invoiceId: string,
  { isSettled }: { isSettled: boolean },
): Promise<{ obsoleteAttempts?: ObsoleteAttempt[] }> {
  const obsolete = (await intentsOf(em, invoiceId)).filter((each) => isObsolete(each, isSettled));
  if (obsolete.length === 0) return {};
  return { obsoleteAttempts: obsolete.map(({ id }) => ({ invoiceId, attemptId: id })) };
}
