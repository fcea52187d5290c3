// Maps audit rows from the database to the wire. Pure. Contract 3.7 "Audit".
import type { AuditEntry } from '../../../db/entities/platform/audit-entry.ts';
import type { AuditSeal } from '../../../db/entities/platform/audit-seal.ts';
import { WITHHELD } from '../../../domain/audit.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import type { AuditEntryWire } from './audit.schemas.ts';

/**
 * Returns an entry, with the seal that covers it, if any. Ids of protected files are withheld from callers who may not
 * see health values.
 */
export function auditEntryToWire(row: AuditEntry, seal: AuditSeal | null, seesHealth: boolean): AuditEntryWire {
  return {
    id: row.id,
    orgId: row.orgId,
    at: instantToWire(row.createdAt),
    actor: { kind: row.actorKind, id: row.actorId, role: row.actorRole },
    action: row.action,
    entity: { type: row.entityType, id: row.entityId },
    requestId: row.requestId,
    changes: Object.entries(row.changes).map(([field, change]) =>
      !seesHealth && FILES.has(field) && concernsHealth(row)
        ? { field, before: null, after: WITHHELD }
        : { field, ...sidesOf(change) },
    ),
    sealed: seal !== null,
    ...(seal && { seal: { sequence: seal.sequence, hash: seal.hash, sealedAt: instantToWire(seal.sealedAt) } }),
  };
}

/** Fields that name files on claims. */
const FILES: ReadonlySet<string> = new Set(['attachment', 'attachments']);

function concernsHealth({ action, changes }: AuditEntry): boolean {
  return action === 'claim:read_phi' || changes.containsPhi === true;
}

/** A fact without a before, such as the route of a call, came with the action. */
function sidesOf(change: unknown): { before: unknown; after: unknown } {
  if (typeof change === 'object' && change !== null && Object.keys(change).sort().join() === 'after,before') {
    return change as { before: unknown; after: unknown };
  }
  return { before: null, after: change };
}
