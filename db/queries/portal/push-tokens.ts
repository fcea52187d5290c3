// Queries on the devices of insureds.
import type { EntityManager } from '@mikro-orm/postgresql';
import { PushToken } from '../../entities/portal/push-token.ts';
import { newId } from '../../ids.ts';
import { organizationOf } from '../../scope.ts';
import { writeAudit } from '../platform/audit.ts';

const PUSH_SERVICE = { kind: 'machine', id: 'push', role: 'superadmin' };

/** Registers a device for an insured, taking it from any other insured. */
export async function registerPushToken(
  em: EntityManager,
  { insuredId, token, platform }: Pick<PushToken, 'insuredId' | 'token' | 'platform'>,
): Promise<PushToken> {
  const orgId = organizationOf(em);
  await em.execute('select free_push_token(?, ?)', [token, orgId]);
  await em.execute(
    `insert into push_tokens (id, org_id, insured_id, token, platform) values (?, ?, ?, ?, ?)
     on conflict on constraint push_tokens_once do update
       set insured_id = excluded.insured_id, platform = excluded.platform, updated_at = now()`,
    [newId('pushToken'), orgId, insuredId, token, platform],
  );
  return em.findOneOrFail(PushToken, { token });
}

/** Removes a device that the push service no longer knows, with its notices, and records it in the audit. */
export async function removePushToken(em: EntityManager, id: string, token: string): Promise<void> {
  if ((await em.nativeDelete(PushToken, { id, token })) === 0) return;
  const changes = { reason: { before: null, after: 'The push service no longer knows the device.' } };
  writeAudit(em, { actor: PUSH_SERVICE, action: 'push_token:remove', entityType: 'push_token', entityId: id, changes });
}
