// What the service records: who came in or was refused, and which account changed. Never a secret, a password or an address.
import { writeAudit } from '../db/queries/audit.ts';
import { PLATFORM_SCOPE } from '../db/scope.ts';
import type { AuthDeps } from './deps.ts';
import type { StoredUser } from './directory.ts';

export interface AuthFact {
  /** `sign_in:refused`, `account:created`, `password:reset`, `identity:linked` and the like. */
  action: string;
  requestId: string;
  /** Null when nobody was recognised. */
  user: Pick<StoredUser, 'id' | 'role' | 'orgId'> | null;
  /** Short words for people. */
  reason?: string;
}

/** Adds an audit row to the organization of the user, or to the installation where there is none. */
export async function recordAudit({ database }: Pick<AuthDeps, 'database'>, fact: AuthFact): Promise<void> {
  const { action, requestId, user, reason } = fact;
  await database.transaction(user?.orgId ?? PLATFORM_SCOPE, async (em) => {
    writeAudit(em, {
      actor: { kind: 'user', id: user?.id ?? 'unknown', role: user?.role ?? 'none' },
      action,
      entityType: 'user',
      entityId: user?.id ?? null,
      requestId,
      changes: reason === undefined ? {} : { reason },
    });
  });
}
