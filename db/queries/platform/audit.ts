// Writing and listing audit rows.

import type { FilterQuery } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AuditEntry } from '../../entities/platform/audit-entry.ts';
import { newId } from '../../ids.ts';
import { addRow } from '../../new-rows.ts';
import { equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';

/** Filters of the list; `from` is included, `before` is not. */
export interface AuditFilter {
  actorId?: string;
  /** An entity's id, or an entity type. */
  entity?: string;
  requestId?: string;
  from?: Date;
  before?: Date;
}

/** One audited action. `actor` is who did it, `changes` maps field → {before, after}. */
export interface AuditFact {
  actor: { kind: string; id: string; role: string };
  /** As in the permission table: `submission:bind`. */
  action: string;
  entityType: string;
  entityId?: string | null;
  requestId?: string | null;
  changes?: object;
}

/** Adds an audit row to the transaction of the change. Secrets and personal data do not belong in it. */
export function writeAudit(em: EntityManager, fact: AuditFact): AuditEntry {
  const { actor, action, entityType, entityId = null, requestId = null, changes = {} } = fact;
  return addRow(em, AuditEntry, {
    id: newId('audit'),
    actorKind: actor.kind,
    actorId: actor.id,
    actorRole: actor.role,
    action,
    entityType,
    entityId,
    requestId,
    changes: changes as Record<string, unknown>,
  });
}

/**
 * Reads a page of audit rows, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listAudit(em: EntityManager, filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>> {
  const { actorId, entity, requestId, from, before } = filter;
  const conditions: FilterQuery<AuditEntry>[] = [equalTo({ actorId, requestId })];
  if (entity !== undefined) conditions.push({ $or: [{ entityId: entity }, { entityType: entity }] });
  if (from) conditions.push({ createdAt: { $gte: from } });
  if (before) conditions.push({ createdAt: { $lt: before } });
  return pageOf(em, AuditEntry, conditions, page);
}
