// The organization an entity manager is limited to.
import type { EntityManager } from '@mikro-orm/core';

/** Name of the filter that limits every query to one organization. */
export const TENANT_FILTER = 'tenant';

/** Scope of the installation, outside every organization: the audit and idempotency of its operators. */
export const PLATFORM_SCOPE = 'platform';

/**
 * Scope of a read that finds out which organization is meant, and so cannot depend on one: a function that looks past
 * the barriers. Anything else read in it could belong to any organization.
 */
export const ANY_SCOPE = 'any';

/**
 * Returns the organization of the scope.
 * @throws Error outside a scope, which is a programming error
 */
export function organizationOf(em: EntityManager): string {
  const scope = scopeOf(em);
  if (scope === null) throw new Error('This needs the scope of an organization');
  return scope;
}

/** Returns the scope; null for a manager that sees every organization. */
export function scopeOf(em: EntityManager): string | null {
  const scope = em.getFilterParams(TENANT_FILTER) as { orgId?: string } | undefined;
  return scope?.orgId || null;
}
