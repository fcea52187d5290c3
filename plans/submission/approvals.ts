// The approvals of a submission, with the risk that each was given for. Decision 0185.
import type { EntityManager } from '@mikro-orm/postgresql';
import { Referral } from '../../db/entities/authority/referral.ts';
import type { Approval } from '../../domain/authority/standing-approval.ts';

/** Reads the approvals of a submission, newest first. One that does not say what it was given for covers nothing. */
export async function approvalsOf(em: EntityManager, submissionId: string): Promise<Approval[]> {
  const approved = await em.find(Referral, { submissionId, status: 'approved' }, { orderBy: { id: 'desc' } });
  return approved.flatMap(({ id, flags, conditions, judged: risk }) =>
    risk === null ? [] : [{ id, flags, conditions, risk }],
  );
}
