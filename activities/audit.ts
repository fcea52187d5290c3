/** Audit rows for activities. Their changes hold codes, dates and references: no names, no addresses. */
import type { AuditFact } from '../db/queries/platform/audit.ts';
import type { ActorRef } from '../domain/permissions.ts';

/** The actor for changes triggered by a date. */
export const SYSTEM: ActorRef = { kind: 'machine', id: 'calendar', role: 'superadmin' };

/** Who acted, in which request, on which entity. */
export interface Origin {
  actor: ActorRef;
  requestId: string | null;
  entityId: string;
}

/** The audit row for a command on its own entity. */
export function auditOf(
  { actor, requestId, entityId }: Origin,
  action: string,
  entityType: string,
  changes: Record<string, unknown>,
): AuditFact {
  return { actor, requestId, entityId, action, entityType, changes };
}
