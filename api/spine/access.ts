// Who may call an operation, and the row it is about. The decision itself is `may()` in domain/permissions.ts.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Action, Actor, ResourceFacts } from '../../domain/permissions.ts';

/** A kind of row that a path names by `:id`. The pipeline loads it, calls `may()`, and compares `If-Match`. */
export interface Resource<Row extends { id: string }> {
  /** Noun for messages and audit rows, e.g. `policy`. */
  name: string;
  /** Reads the row in the call's organization; null gives a 404. Which rows an insured has depends on the reader. */
  load(em: EntityManager, id: string, reader: Actor): Promise<Row | null>;
  /** What the permission check needs to know about the row. */
  facts(row: Row): ResourceFacts;
  /** Version of the row, for `ETag` and `If-Match`; omitted if callers never change the row. */
  version?(row: Row): number;
}

/** In one organization, by everyone whose role or scope allows the action; with a resource, on that row. */
export interface OrganizationAccess<Row> {
  kind: 'organization';
  action: Action;
  resource: Resource<Row & { id: string }> | null;
}

/** Outside organizations: by platform roles and the machine secret. The handler finds the organization itself. */
export interface PlatformAccess {
  kind: 'platform';
  action: Action;
}

/** By anyone without a credential; `reason` says why that is right. */
export interface OpenAccess {
  kind: 'open';
  reason: string;
}

export type Access<Row = unknown> = OrganizationAccess<Row> | PlatformAccess | OpenAccess;

/** Allows an action on the row that `:id` names. */
export function allow<Row extends { id: string }>(action: Action, resource: Resource<Row>): OrganizationAccess<Row>;
/** Allows an action in the organization of the call. */
export function allow(action: Action): OrganizationAccess<null>;
export function allow<Row extends { id: string }>(
  action: Action,
  resource?: Resource<Row>,
): OrganizationAccess<Row | null> {
  return { kind: 'organization', action, resource: (resource ?? null) as OrganizationAccess<Row | null>['resource'] };
}

/** Allows an action that belongs to the platform rather than to one organization: `/organizations`. Contract 3.10. */
export function allowPlatform(action: Action): PlatformAccess {
  return { kind: 'platform', action };
}

/** Opens an operation to everyone. */
export function open(reason: string): OpenAccess {
  return { kind: 'open', reason };
}
