// Notices due and not yet sent.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import { preparedRows } from '../../prepared.ts';
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

const KEEP = {
  name: 'keep a due notice',
  text: `insert into due_notices (org_id, id, policy_id, kind, on_date, transaction_id)
    values ($1, $2, $3, $4, $5, $6) on conflict (org_id, id) do nothing`,
};
const REMOVE = { name: 'remove a due notice', text: 'delete from due_notices where org_id = $1 and id = $2' };

/** Records that a notice is due, in the transaction that decides it. */
export async function keepDueNotice(
  em: EntityManager,
  { id, policyId, kind, on, transactionId }: DueNotice,
): Promise<void> {
  await preparedRows(em, KEEP, [organizationOf(em), id, policyId, kind, on, transactionId ?? null]);
}

/** Removes a notice that was sent, could not be sent, or was skipped. */
export async function removeDueNotice(em: EntityManager, id: string): Promise<void> {
  await preparedRows(em, REMOVE, [organizationOf(em), id]);
}
