// Queries on claims and their history.
import { type FilterQuery, raw } from '@mikro-orm/core';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { Cents } from '../../../domain/money.ts';
import type { Visibility } from '../../../domain/permissions.ts';
import { Claim } from '../../entities/claim/claim.ts';
import { ClaimEntry } from '../../entities/claim/claim-entry.ts';
import type { Policy } from '../../entities/policy/policy.ts';
import { findById, lockById } from '../../entity-rows.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import type { Orders } from '../orders.ts';
import { between, containing, equalTo, type Page, type PageRequest, pageOf, visibleTo } from '../pages.ts';

/** List orders besides the default, the order of creation. */
export const CLAIM_ORDERS = { lossDate: 'date', claimNumber: 'number' } as const satisfies Orders;

/** Filters of the list; the date range is inclusive. */
export interface ClaimFilter {
  visibility: Visibility;
  status?: string;
  adjusterId?: string;
  policyId?: string;
  lossFrom?: BusinessDate;
  lossTo?: BusinessDate;
  /**
   * Part of the claim number, policy number, insured's name or, if the claim is not protected, the claimant's name;
   * never of other particulars of the loss.
   */
  q?: string;
}

/** Reads a claim, or null. */
export function findClaim(em: EntityManager, id: string): Promise<Claim | null> {
  return findById(em, Claim, id);
}

/** Reads claims by id. */
export function findClaims(em: EntityManager, ids: readonly string[]): Promise<Claim[]> {
  return em.find(Claim, { id: { $in: [...ids] } });
}

/** Lists the adjusters assigned a claim on a policy, who may therefore read it. */
export async function adjustersOfPolicy(em: EntityManager, policyId: string): Promise<string[]> {
  const rows = await em.execute<{ adjuster_id: string }[]>(
    `select distinct adjuster_id from claims
     where org_id = ? and policy_id = ? and adjuster_id is not null and is_assigned`,
    [organizationOf(em), policyId],
  );
  return rows.map(({ adjuster_id }) => adjuster_id);
}

/** Reads a claim and locks its row until the transaction ends; null when there is none. */
export function lockClaim(em: EntityManager, id: string): Promise<Claim | null> {
  return lockById(em, Claim, id);
}

/** Reads a policy's open claims and locks them until the transaction ends, by id. */
export function lockOpenClaimsOf(em: EntityManager, policyId: string): Promise<Claim[]> {
  const where = { policyId, status: { $ne: 'closed' as const } };
  return em.find(Claim, where, { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE });
}

/**
 * Reads a page of claims, newest first unless another order is chosen.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listClaims(em: EntityManager, filter: ClaimFilter, page: PageRequest): Promise<Page<Claim>> {
  const { visibility, status, adjusterId, policyId, lossFrom, lossTo, q } = filter;
  const conditions: (FilterQuery<Claim> | null)[] = [
    seenBy(visibility),
    equalTo({ status, adjusterId, policyId }) as FilterQuery<Claim>,
  ];
  const lost = between(lossFrom, lossTo);
  if (lost) conditions.push({ lossDate: lost });
  if (q) {
    const part = containing(q);
    conditions.push({ $or: [{ claimNumber: part }, { policyNumber: part }, { insuredName: part }, madeBy(em, part)] });
  }
  return pageOf(em, Claim, conditions, page);
}

/** The condition on the claimant's name. A protected claim's is not searched: every read of it is recorded. */
function madeBy(em: EntityManager, { $ilike }: { $ilike: string }): FilterQuery<Claim> {
  const named = 'select claim_id from claim_particulars where org_id = ? and claimant_name ilike ?';
  const isNamed = raw((alias) => `${alias}.id in (${named})`, [organizationOf(em), $ilike]);
  return { containsPhi: false, [isNamed]: [] } as FilterQuery<Claim>;
}

/** An adjuster sees the claims assigned to them, a producer those of their policies. */
function seenBy(visibility: Visibility): FilterQuery<Claim> | null {
  return visibility.kind === 'adjuster' ? { adjusterId: visibility.userId } : visibleTo(visibility);
}

const EARLIER = {
  name: 'earlier claim alike',
  text: `select c.id from claims c
      join claim_particulars other on other.org_id = c.org_id and other.claim_id = c.id
      join claim_particulars mine on mine.org_id = c.org_id and mine.claim_id = $2
    where c.org_id = $1 and c.policy_id = $3 and c.loss_date = $4 and c.id <> mine.claim_id
      and lower(trim(other.cause)) is not distinct from lower(trim(mine.cause))
      and lower(trim(other.claimant_name)) is not distinct from lower(trim(mine.claimant_name))
    order by c.id limit 1`,
};

/**
 * Finds the first claim with the same policy, loss date, cause and claimant as one being filed, or null. Ignores case
 * and surrounding spaces; a value missing in both counts as equal.
 */
export async function earlierClaimAlike(
  em: EntityManager,
  { id, policyId, lossDate }: Pick<Claim, 'id' | 'policyId' | 'lossDate'>,
): Promise<string | null> {
  const [row] = await preparedRows<{ id: string }>(em, EARLIER, [organizationOf(em), id, policyId, lossDate]);
  return row?.id ?? null;
}

/** The indemnity paid on all claims on a term, in cents. The caller holds the policy lock. */
export async function indemnityPaidOn(em: EntityManager, policyId: string): Promise<Cents> {
  const [row] = await preparedRows<{ cents: string }>(
    em,
    {
      name: 'indemnity paid on a term',
      text: 'select coalesce(sum(paid_indemnity_cents), 0) as cents from claims where org_id = $1 and policy_id = $2',
    },
    [organizationOf(em), policyId],
  );
  return Number(row?.cents ?? 0);
}

/**
 * Counts an insured's losses in a line from a day on: open or paid claims, each loss once. A claim denied or closed
 * without payment does not count.
 */
export async function countLosses(
  em: EntityManager,
  { insuredId, lineOfBusiness }: Pick<Policy, 'insuredId' | 'lineOfBusiness'>,
  from: BusinessDate,
): Promise<number> {
  const [row] = await em.execute<{ losses: number }[]>(
    `select count(*)::int as losses from claims c
       join policies p on p.org_id = c.org_id and p.id = c.policy_id
     where c.org_id = ? and p.insured_id = ? and c.line_of_business = ? and c.loss_date >= ? and c.duplicate_of is null
       and (c.status not in ('denied', 'closed') or c.paid_indemnity_cents + c.paid_expense_cents > 0)`,
    [organizationOf(em), insuredId, lineOfBusiness, from],
  );
  return row?.losses ?? 0;
}

/** Reads a claim's history, oldest first. */
export function claimEntries(em: EntityManager, claimId: string): Promise<ClaimEntry[]> {
  return em.find(ClaimEntry, { claimId }, { orderBy: { sequence: 'asc' } });
}
