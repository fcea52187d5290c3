// Earlier payments or recoveries on a claim under the same reference. The caller holds the claim lock.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClaimPayment } from '../../entities/claim/claim-payment.ts';
import type { ClaimRecovery } from '../../entities/claim/claim-recovery.ts';
import { organizationOf } from '../../scope.ts';

/**
 * Finds another non-void payment on a claim of the same kind, to the same payee, under the same reference, ignoring
 * case and surrounding spaces of the payee. Null if there is none, or no reference. The words of `id` are already
 * stored.
 */
export async function paymentAlike(
  em: EntityManager,
  { id, claimId, kind }: Pick<ClaimPayment, 'id' | 'claimId' | 'kind'>,
): Promise<string | null> {
  const [row] = await em.execute<{ id: string }[]>(
    `select p.id from claim_payments p
       join claim_payees other on other.org_id = p.org_id and other.id = p.payee_id
       join claim_payees mine on mine.org_id = p.org_id and mine.id = ?
       join claim_references r on r.org_id = p.org_id and r.id = p.id
       join claim_references own on own.org_id = p.org_id and own.id = mine.id and own.text = r.text
     where p.org_id = ? and p.claim_id = ? and p.kind = ? and p.status <> 'void' and p.id <> mine.id
       and lower(trim(other.name)) = lower(trim(mine.name))
     order by p.id limit 1`,
    [id, organizationOf(em), claimId, kind],
  );
  return row?.id ?? null;
}

/**
 * Finds another recovery on a claim, of the same kind under the same reference; null when there is none, or no
 * reference. The reference of `id` is already stored.
 */
export async function recoveryAlike(
  em: EntityManager,
  { id, claimId, kind }: Pick<ClaimRecovery, 'id' | 'claimId' | 'kind'>,
): Promise<string | null> {
  const [row] = await em.execute<{ id: string }[]>(
    `select c.id from claim_recoveries c
       join claim_references r on r.org_id = c.org_id and r.id = c.id
       join claim_references own on own.org_id = c.org_id and own.id = ? and own.text = r.text
     where c.org_id = ? and c.claim_id = ? and c.kind = ? and c.id <> own.id
     order by c.id limit 1`,
    [id, organizationOf(em), claimId, kind],
  );
  return row?.id ?? null;
}
