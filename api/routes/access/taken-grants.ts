// Takes back a user's grants before someone else is invited under their address, with an audit row for each.
import type { EntityManager } from '@mikro-orm/postgresql';
import { lockKeysOf } from '../../../db/queries/access/api-keys.ts';
import { removeRelationsOf } from '../../../db/queries/access/relations.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import type { Actor } from '../../../domain/permissions.ts';
import { revokeKey } from './api-key-revocation.ts';

/** Removes every tuple of a user and revokes their keys, within the transaction of the invitation. */
export async function takeGrantsBack(
  em: EntityManager,
  userId: string,
  by: { actor: Actor; requestId: string; nowMs: number },
): Promise<void> {
  const { actor, requestId } = by;
  for (const { objectType, objectId, relation } of await removeRelationsOf(em, userId)) {
    const isMembership = objectType === 'producer' && relation === 'member';
    const changes = { [relation]: { before: userId, after: null }, reason: { before: null, after: 'invited' } };
    writeAudit(em, {
      ...{ actor, requestId, changes, entityType: objectType, entityId: objectId },
      action: isMembership ? 'producer_member:remove' : 'relation:remove',
    });
  }
  for (const key of await lockKeysOf(em, userId)) revokeKey(em, key, { ...by, reason: 'invited' });
}
