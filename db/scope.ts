// The organization that an entity manager is confined to.
import type { EntityManager } from '@mikro-orm/core';

/** Name of the filter that confines every query to one organization. */
export const TENANT_FILTER = 'tenant';

/** Scope of the installation, outside every organization: the audit and idempotency of its operators. */
export const PLATFORM_SCOPE = 'platform';

/**
 * Scope of a read that must not depend on an organization, because it tells which one is meant: a function that looks
 * past the walls. Whatever else it read could be any organization's.
 */
export const ANY_SCOPE = 'any';

/**
 * Gives the organization of the scope.
 * @throws Error outside of a scope, which is a mistake in the program
 */
export function organizationOf(em: EntityManager): string {
  const scope = em.getFilterParams(TENANT_FILTER) as { orgId?: string } | undefined;
  if (!scope?.orgId) throw new Error('This needs the scope of an organization');
  return scope.orgId;
}
