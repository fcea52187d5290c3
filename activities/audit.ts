/** Audit rows of the steps. What they say of a change are codes, dates and references: no names, no addresses. */
import type { AuditFact } from '../db/queries/audit.ts';
import type { ActorRef } from '../domain/permissions.ts';

/** Who acts when a date brings something about. */
export const SYSTEM: ActorRef = { kind: 'machine', id: 'calendar', role: 'superadmin' };

/** Who asked, by which request, about what. */
export interface Origin {
  actor: ActorRef;
  requestId: string | null;
  entityId: string;
}

/** The audit row of a command on its own entity. */
export function auditOf(
  { actor, requestId, entityId }: Origin,
  action: string,
  entityType: string,
  changes: Record<string, unknown>,
): AuditFact {
  return { actor, requestId, entityId, action, entityType, changes };
}
