// A submission's approvals, with the risk that each was given for. Decision 0185.
import type { EntityManager } from '@mikro-orm/postgresql';
import { Referral } from '../../db/entities/authority/referral.ts';
import type { Quote } from '../../db/entities/submission/quote.ts';
import { type AuthorityContract, type DaFlag, withEarlierClearance } from '../../domain/authority/authority.ts';
import type { Approval } from '../../domain/authority/standing-approval.ts';

/** Reads the approvals of a submission, newest first. One without a recorded risk covers nothing. */
export async function approvalsOf(em: EntityManager, submissionId: string): Promise<Approval[]> {
  const approved = await em.find(Referral, { submissionId, status: 'approved' }, { orderBy: { id: 'desc' } });
  return approved.flatMap(({ id, flags, conditions, judged: risk }) =>
    risk === null ? [] : [{ id, flags, conditions, risk }],
  );
}

/** Returns a quote's current flags as cleared by its approval, if the approval's contract still governs. */
export function stillCleared(
  flags: readonly DaFlag[],
  { daFlags, daContractId }: Pick<Quote, 'daFlags' | 'daContractId'>,
  contract: Pick<AuthorityContract, 'id'> | null,
): DaFlag[] {
  const earlier = daContractId === (contract?.id ?? null) ? daFlags : [];
  return flags.map((flag) => withEarlierClearance(flag, earlier));
}
