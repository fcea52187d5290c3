// Ends an API key with its audit row: because somebody revoked it, or because the tuple it was made through is gone.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ApiKey } from '../../../db/entities/access/api-key.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import type { Actor } from '../../../domain/permissions.ts';

/** Revokes a key that was not revoked yet, within the transaction; it is refused from its commit on. */
export function revokeKey(
  em: EntityManager,
  key: ApiKey,
  { actor, requestId, nowMs }: { actor: Actor; requestId: string; nowMs: number },
): void {
  key.revokedAt = new Date(nowMs);
  const changes = { revokedAt: { before: null, after: key.revokedAt.toISOString() } };
  writeAudit(em, {
    actor,
    action: 'api_key:revoke',
    entityType: 'api_key',
    entityId: key.id,
    requestId,
    changes,
  });
}
