// What an approved referral of a policy has cleared: withClearance, covers.
import type { EntityManager } from '@mikro-orm/postgresql';
import { type DaFlag, NEVER_CLEARED } from '../../domain/authority.ts';
import { Referral } from '../entities/referral.ts';

/**
 * Marks the refer flags that an approved referral of the policy has asked about, up to the amount it named. What no approval clears stays.
 * Contract 3.7 "Referral".
 */
export async function withClearance(em: EntityManager, policyId: string, flags: readonly DaFlag[]): Promise<DaFlag[]> {
  if (!flags.some(({ severity }) => severity === 'refer')) return [...flags];
  const approved = await em.find(Referral, { policyId, status: 'approved' }, { orderBy: { id: 'desc' } });
  return flags.map((flag) => {
    const referral = approved.find(({ flags: asked }) => asked.some((other) => covers(other, flag)));
    if (flag.severity !== 'refer' || NEVER_CLEARED.includes(flag.code) || referral === undefined) return flag;
    const { id, decidedBy, decidedAt } = referral;
    return { ...flag, referralId: id, clearedBy: decidedBy, clearedAt: decidedAt?.toISOString() ?? null };
  });
}

/** Tells whether a flag asks for no more than one that was approved: the same code, and at most the same amount. */
export function covers(approved: DaFlag, flag: DaFlag): boolean {
  if (approved.code !== flag.code) return false;
  const [most, actual] = [approved.actual, flag.actual];
  return typeof most === 'number' && typeof actual === 'number' ? actual <= most : actual === most;
}
