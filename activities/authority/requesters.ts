/**
 * Whose request something is that somebody else decides on: one rule for referrals, refunds and settlements. A key acts
 * for its maker, so what the key requests is their request too. Journals are closed to keys. Contract 2, 3.3, 3.4, 3.7.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Referral } from '../../db/entities/authority/referral.ts';
import { findApiKey } from '../../db/queries/access/api-keys.ts';
import type { ActorRef } from '../../domain/permissions.ts';

/** Returns an actor's own id, followed by the maker of the key that the actor is. */
export async function requesterIds(em: EntityManager, { kind, id }: ActorRef): Promise<string[]> {
  const key = kind === 'api_key' ? await findApiKey(em, id) : null;
  return key === null ? [id] : [id, key.createdBy];
}

/** Counts an actor among those whose referral it is, and those behind them. */
export async function addRequester(em: EntityManager, referral: Referral, actor: ActorRef): Promise<void> {
  const requesters = new Set([...referral.requesters, ...(await requesterIds(em, actor))]);
  if (requesters.size > referral.requesters.length) referral.requesters = [...requesters];
}
