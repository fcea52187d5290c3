/**
 * Whose request it is when someone else decides: one rule for referrals, refunds and settlements. A key acts for its
 * creator, so the key's requests are theirs too. Journals are closed to keys. Contract 2, 3.3, 3.4, 3.7.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Referral } from '../../db/entities/authority/referral.ts';
import { findApiKey } from '../../db/queries/access/api-keys.ts';
import type { ActorRef } from '../../domain/permissions.ts';

/** Returns the actor's id, followed by the key's creator if the actor is a key. */
export async function requesterIds(em: EntityManager, { kind, id }: ActorRef): Promise<string[]> {
  const key = kind === 'api_key' ? await findApiKey(em, id) : null;
  return key === null ? [id] : [id, key.createdBy];
}

/** Adds an actor to a referral's requesters, with those behind them. */
export async function addRequester(em: EntityManager, referral: Referral, actor: ActorRef): Promise<void> {
  const requesters = new Set([...referral.requesters, ...(await requesterIds(em, actor))]);
  if (requesters.size > referral.requesters.length) referral.requesters = [...requesters];
}
