// Queries on delegations, and the authority they lend.
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { Lender } from '../../../domain/permissions.ts';
import { Relation } from '../../entities/access/relation.ts';
import { Delegation } from '../../entities/authority/delegation.ts';
import { findById, lockById } from '../../entity-rows.ts';
import { authorityOf, holdTuplesOf } from '../access/relations.ts';
import { findUsers, userStatus } from '../access/users.ts';
import { equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';

/** More than any deputy is lent. */
const MOST = 1_000;

/** Reads a delegation, or null. */
export function findDelegation(em: EntityManager, id: string): Promise<Delegation | null> {
  return findById(em, Delegation, id);
}

/** Reads a delegation and locks its row until the transaction ends; null when there is none. */
export function lockDelegation(em: EntityManager, id: string): Promise<Delegation | null> {
  return lockById(em, Delegation, id);
}

/** Reads a page of delegations, newest first. @throws DomainError validation_failed for a bad cursor */
export function listDelegations(
  em: EntityManager,
  filter: { lenderId?: string | undefined; deputyId?: string | undefined },
  page: PageRequest,
): Promise<Page<Delegation>> {
  return pageOf(em, Delegation, [equalTo(filter)], page);
}

/** Reads who lends authority on a day, by deputy: people who have left lend nothing. */
export async function lendersTo(
  em: EntityManager,
  deputyIds: readonly string[],
  today: BusinessDate,
): Promise<Map<string, Lender[]>> {
  return lendersBy(em, await em.find(Delegation, inForce(deputyIds, today), { orderBy: { id: 'asc' }, limit: MOST }));
}

/** Reads who lends a deputy authority on a day, and keeps it that way until the transaction ends. */
export async function holdLendersTo(em: EntityManager, deputyId: string, today: BusinessDate): Promise<Lender[]> {
  const delegations = await em.find(Delegation, inForce([deputyId], today), {
    ...{ orderBy: { id: 'asc' }, limit: MOST, lockMode: LockMode.PESSIMISTIC_READ },
  });
  const lenderIds = new Set(delegations.map(({ lenderId }) => lenderId));
  for (const lenderId of [...lenderIds].sort()) await holdTuplesOf(em, lenderId);
  return (await lendersBy(em, delegations)).get(deputyId) ?? [];
}

function inForce(deputyIds: readonly string[], today: BusinessDate) {
  const days = { startsOn: { $lte: today }, endsOn: { $gte: today } };
  return { deputyId: { $in: [...deputyIds] }, endedAt: null, ...days };
}

async function lendersBy(em: EntityManager, delegations: readonly Delegation[]): Promise<Map<string, Lender[]>> {
  if (delegations.length === 0) return new Map();
  const lenderIds = [...new Set(delegations.map(({ lenderId }) => lenderId))];
  const users = await findUsers(em, lenderIds);
  const tuples = await em.find(Relation, { subjectType: 'user', subjectId: { $in: lenderIds } });
  const authority = (userId: string) => authorityOf(tuples.filter(({ subjectId }) => subjectId === userId));
  const byDeputy = new Map<string, Lender[]>();
  for (const { deputyId, lenderId: id, lenderRole } of delegations) {
    // A user not stored here belongs to another directory.
    const user = users.get(id);
    if (user !== undefined && userStatus(user) !== 'active') continue;
    const lender = { id, role: user?.role ?? lenderRole, authority: authority(id) };
    byDeputy.set(deputyId, [...(byDeputy.get(deputyId) ?? []), lender]);
  }
  return byDeputy;
}
