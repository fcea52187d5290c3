// Notices due and not yet sent.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import { organizationOf } from '../../scope.ts';

interface DueNotice {
  /** The id of its e-mail. */
  id: string;
  policyId: string;
  kind: string;
  on: BusinessDate;
  /** The transaction, bill or attempt it is about. */
  transactionId?: string;
}

/** Records that a notice is due, in the transaction that decides it. */
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

/** Removes a notice that was sent, could not be sent, or was skipped. */
export async function removeDueNotice(em: EntityManager, id: string): Promise<void> {
  await em.execute('delete from due_notices where org_id = ? and id = ?', [organizationOf(em), id]);
}
