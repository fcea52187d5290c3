// The API keys that stay valid when their maker is deactivated: programs keep running until someone revokes the keys.
// Contract 2 "API key".
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ApiKey } from '../../../db/entities/access/api-key.ts';
import type { User } from '../../../db/entities/access/user.ts';
import type { Database } from '../../../db/orm.ts';
import { liveKeysOf } from '../../../db/queries/access/api-keys.ts';
import { isStillEntitled } from '../../../domain/access/key-makers.ts';

/** Lists a user's keys that still work: in every organization for a platform role, otherwise in their own. */
export async function keysThatLiveOn(
  em: EntityManager,
  user: User,
  { database, nowMs }: { database: Database; nowMs: number },
): Promise<Pick<ApiKey, 'id' | 'orgId' | 'name'>[]> {
  const { id, orgId, role, active } = user;
  const read = (scope: EntityManager) => liveKeysOf(scope, id, nowMs);
  const isOfPlatform = role === 'superadmin' || role === 'platform_operator';
  const keys = isOfPlatform ? await database.acrossOrgs('API keys of a deactivated user', read) : await read(em);
  return keys
    .filter((key) => isStillEntitled(key, [{ orgId, role, active }]))
    .map((key) => ({ id: key.id, orgId: key.orgId, name: key.name }));
}
