// A policy's clearances: on flags of earlier transactions, and by later approved referrals.
import type { EntityManager } from '@mikro-orm/postgresql';
import { Referral } from '../../db/entities/authority/referral.ts';
import { type DaFlag, withEarlierClearance } from '../../domain/authority/authority.ts';
import { withConditions } from '../../domain/authority/standing-approval.ts';

/**
 * Returns the flags with every clearance that applies: from one of the `earlier` flags, otherwise from an approved
 * referral of the policy, newest first. Contract 3.7 "Referral".
 */
export async function withClearance(
  em: EntityManager,
  policyId: string,
  flags: readonly DaFlag[],
  earlier: readonly DaFlag[],
): Promise<DaFlag[]> {
  if (!flags.some(({ severity }) => severity === 'refer')) return [...flags];
  const approved = await em.find(Referral, { policyId, status: 'approved' }, { orderBy: { id: 'desc' } });
  const cleared = [...earlier, ...approved.flatMap(clearedBy)];
  return flags.map((flag) => withEarlierClearance(flag, cleared));
}

/** Reads the conditions of approval of the cleared flags among these, each once. */
export async function conditionsOf(em: EntityManager, flags: readonly DaFlag[]): Promise<string[]> {
  const ids = flags.flatMap(({ clearedAt, referralId }) => (clearedAt === null ? [] : (referralId ?? [])));
  if (ids.length === 0) return [];
  const approved = await em.find(Referral, { id: { $in: ids } }, { orderBy: { id: 'asc' } });
  return withConditions(
    [],
    approved.flatMap(({ conditions }) => conditions),
  );
}

function clearedBy({ id, flags, decidedBy, decidedAt }: Referral): DaFlag[] {
  const clearedAt = decidedAt?.toISOString() ?? null;
  return flags.map((flag) => ({ ...flag, referralId: id, clearedBy: decidedBy, clearedAt }));
}
