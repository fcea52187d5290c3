// Whose request it is when someone else decides: one rule for referrals, refunds and settlements. A key acts for its
// creator, so the key's requests are theirs too. Journals are closed to keys. Contract 2, 3.3, 3.4, 3.7.
import type { EntityManager } from '@mikro-orm/postgresql';
import { findApiKey } from '../../db/queries/access/api-keys.ts';
import type { ActorRef } from '../../domain/permissions.ts';

/** Returns the actor's id, followed by the key's creator if the actor is a key. */
export async function requesterIds(em: EntityManager, { kind, id }: ActorRef): Promise<string[]> {
  const key = kind === 'api_key' ? await findApiKey(em, id) : null;
  return key === null ? [id] : [id, key.createdBy];
}
