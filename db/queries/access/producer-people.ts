// Which users belong to a producer, and so to another company.
import type { EntityManager } from '@mikro-orm/postgresql';
import { Relation } from '../../entities/access/relation.ts';
import { User } from '../../entities/access/user.ts';

/** Finds, among users, those with the role producer and those who are members of a producer. */
export async function actingForProducers(em: EntityManager, userIds: readonly string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  const ids = { $in: [...userIds] };
  const users = await em.find(User, { id: ids, role: 'producer' });
  const tuples = await em.find(Relation, { objectType: 'producer', relation: 'member', subjectId: ids });
  return new Set([...users.map(({ id }) => id), ...tuples.map(({ subjectId }) => subjectId)]);
}
