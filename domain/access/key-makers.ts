// On whose behalf an API key acts: its maker's role, what that role may delegate, and whether the maker still has it.
// Spec 5.3, Contract 2 "API key".

import { DomainError } from '../errors.ts';
import { ACTIONS, type Action, type Role, roleMay } from '../permission-table.ts';
import type { Actor } from '../permissions.ts';
import { scopesAllow } from './scopes.ts';

/** The roles that keys act under. */
export type KeyRole = 'org_admin' | 'platform_operator';

/** What determines a key's reach. */
export interface KeyReach {
  orgId: string;
  makerRole: KeyRole;
  scopes: readonly string[];
  /** True if its maker acted in the organization only through the tuple `organization:o#operator@user:u`. */
  throughOperator: boolean;
}

/** On whose behalf a key acts. */
export interface KeyMaker extends Pick<KeyReach, 'makerRole' | 'throughOperator'> {
  createdBy: string;
}

/** A stored user's current standing in an organization. */
export interface MakerStanding {
  orgId: string;
  role: Role;
  active: boolean;
}

/** Returns the role that a maker's keys act in, or null for a role that may not make keys. */
export function keyRoleOf(maker: Role): KeyRole | null {
  if (maker === 'superadmin') return 'org_admin';
  return maker === 'org_admin' || maker === 'platform_operator' ? maker : null;
}

/**
 * Returns the identity that a new key acts as.
 * @throws DomainError forbidden, with `{requiredScope}` for a scope beyond the maker's role. Contract 2.
 */
export function makerOf({ id, role, orgId, homeOrgId }: Actor, scopes: readonly string[]): KeyMaker {
  const makerRole = keyRoleOf(role);
  if (makerRole === null)
    throw new DomainError('forbidden', 'Your role does not allow you to create API keys.', {
      permission: 'api_key:manage',
    });
  const requiredScope = scopeBeyond(makerRole, scopes);
  if (requiredScope !== null) {
    const message = `Your role does not allow an API key with the scope ${requiredScope}.`;
    throw new DomainError('forbidden', message, { permission: 'api_key:manage', requiredScope });
  }
  return { createdBy: id, makerRole, throughOperator: role === 'platform_operator' && orgId !== homeOrgId };
}

/**
 * Finds the first scope that exceeds a role by opening an action that the role may not take. Null if all are within
 * it. `*` opens every action that any scope opens; a `write` also opens those of its `read`.
 */
export function scopeBeyond(role: KeyRole, scopes: readonly string[]): string | null {
  return scopes.find((scope) => !isWithin(openedBy([scope]), role)) ?? null;
}

/**
 * Whether a key's maker could still delegate what the key may do. The creating token vouches for a maker without a
 * stored user. A deactivated user's role still counts: machine keys stay valid until revoked.
 */
export function isStillEntitled(key: KeyReach, maker: readonly MakerStanding[]): boolean {
  if (maker.length === 0) return true;
  const opened = openedBy(key.scopes).filter((action) => roleMay(key.makerRole, action));
  return maker.some(({ orgId, role }) => {
    const reaches =
      orgId === key.orgId || role === 'superadmin' || (key.throughOperator && role === 'platform_operator');
    const roleNow = keyRoleOf(role);
    return reaches && roleNow !== null && isWithin(opened, roleNow);
  });
}

/** Whether the maker of this organization's key may still sign in; true for a maker without a stored user. */
export function isMakerActive(orgId: string, maker: readonly MakerStanding[]): boolean {
  const here = maker.filter((standing) => standing.orgId === orgId);
  return maker.length === 0 || (here.length > 0 ? here : maker).some(({ active }) => active);
}

function openedBy(scopes: readonly string[]): Action[] {
  return ACTIONS.filter((action) => scopesAllow(scopes, action));
}

function isWithin(actions: readonly Action[], role: KeyRole): boolean {
  return actions.every((action) => roleMay(role, action));
}
