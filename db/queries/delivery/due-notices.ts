// The notices that are due and not done yet.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import { organizationOf } from '../../scope.ts';

interface DueNotice {
  /** That of its e-mail. */
  id: string;
  policyId: string;
  kind: string;
  on: BusinessDate;
  /** The transaction, bill or attempt that it is about. */
  transactionId?: string;
}

/** Keeps, in the transaction that decides on it, that a notice is due. */
export async function keepDueNotice(
  em: EntityManager,
  { id, policyId, kind, on, transactionId }: DueNotice,
): Promise<void> {
  await em.execute(
    `insert into due_notices (org_id, id, policy_id, kind, on_date, transaction_id)
     values (?, ?, ?, ?, ?, ?) on conflict (org_id, id) do nothing`,
    [organizationOf(em), id, policyId, kind, on, transactionId ?? null],
  );
}

/** Removes a notice that was sent, could not be sent, or was left out. */
export async function removeDueNotice(em: EntityManager, id: string): Promise<void> {
  await em.execute('delete from due_notices where org_id = ? and id = ?', [organizationOf(em), id]);
}
