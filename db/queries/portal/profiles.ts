// Queries on an insured's contact details. They are stored on every term, since staff look for them there.
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Producer } from '../../entities/distribution/producer.ts';
import { Insured } from '../../entities/policy/insured.ts';
import { Policy } from '../../entities/policy/policy.ts';
import { IS_OWN_TERM, own } from './own-rows.ts';

/**
 * Reads every term of the insured of a policy and locks them until the transaction ends, each after the one before. A
 * renewal holding a term may add another one in the meantime, so they are read until there are no more.
 */
export async function lockOwnTerms(em: EntityManager, policyId: string): Promise<Policy[]> {
  const terms = own<Policy>(em, policyId, IS_OWN_TERM);
  for (let known = 0; ; ) {
    const found = await em.find(Policy, terms, { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE });
    if (found.length === known) return found;
    known = found.length;
  }
}

/** Reads an insured. */
export function findInsured(em: EntityManager, id: string): Promise<Insured> {
  return em.findOneOrFail(Insured, { id });
}

/** Reads an insured and locks the row until the transaction ends. */
export function lockInsured(em: EntityManager, id: string): Promise<Insured> {
  return em.findOneOrFail(Insured, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Reads the addresses of the producers of these policies. */
export async function producerEmailsOf(em: EntityManager, policies: readonly Policy[]): Promise<string[]> {
  const ids = [...new Set(policies.flatMap(({ producerId }) => producerId ?? []))];
  const producers = await em.find(Producer, { id: { $in: ids } });
  return producers.flatMap(({ email }) => email ?? []);
}
