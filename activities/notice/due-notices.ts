/**
 * Notices due and not yet done: written in the transaction that decides on one, removed with its outcome. Healing
 * restarts those left. Decision 0280.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Notice, NoticeWorkflowInput } from '../../contracts/notice.ts';
import { keepDueNotice, removeDueNotice } from '../../db/queries/delivery/due-notices.ts';
import { type Deps, transaction } from '../context.ts';

type PolicyNotice = Notice & { policyId: string };

/** The Message-ID of a notice: the same for every attempt. */
export function messageIdOf({ policyId, kind, on, transactionId }: PolicyNotice): string {
  return `${kind}.${on}.${transactionId ?? policyId}@notices.bindery`;
}

/** Records in the caller's transaction that a notice is due; null means none is. Returns the notice. */
export async function noticeDue<N extends Notice | null>(em: EntityManager, policyId: string, notice: N): Promise<N> {
  if (notice !== null) {
    const { kind, on, transactionId } = notice;
    const about = { policyId, kind, on, ...(transactionId === undefined ? {} : { transactionId }) };
    await keepDueNotice(em, { id: messageIdOf(about), ...about });
  }
  return notice;
}

/** Ends a notice that is no longer due, in the caller's transaction. */
export async function noticeDone(em: EntityManager, notice: PolicyNotice): Promise<void> {
  await removeDueNotice(em, messageIdOf(notice));
}

/** Ends a notice that an operator has skipped. */
export const leaveNoticeOut =
  (deps: Deps) =>
  ({ orgId, ...notice }: NoticeWorkflowInput): Promise<void> =>
    transaction(deps, { kind: 'leaveNoticeOut', orgId }, (em) => noticeDone(em, notice));
