// Ends an API key with an audit row that says why: it was revoked, or the grant it was made through is gone.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ApiKey } from '../../../db/entities/access/api-key.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import type { Actor } from '../../../domain/permissions.ts';

/** `requested`: by a person. `operator_removed`, `invited`: with the grants of the user who made it. */
type RevocationReason = 'requested' | 'operator_removed' | 'invited';

/** Revokes a key that is not yet revoked, within the transaction; it is refused from the commit on. */
export function revokeKey(
  em: EntityManager,
  key: ApiKey,
  { actor, requestId, nowMs, reason }: { actor: Actor; requestId: string; nowMs: number; reason: RevocationReason },
): void {
  key.revokedAt = new Date(nowMs);
  const changes = {
    revokedAt: { before: null, after: key.revokedAt.toISOString() },
    reason: { before: null, after: reason },
  };
  writeAudit(em, {
    actor,
    action: 'api_key:revoke',
    entityType: 'api_key',
    entityId: key.id,
    requestId,
    changes,
  });
}
