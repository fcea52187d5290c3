// Who an API key acts for: the role of its maker, what that role may hand on, and whether the maker still holds it.
// Spec 5.3, Contract 2 "API key".
import { ACTIONS, type Action, type Role, roleMay } from './permission-table.ts';
import { scopesAllow } from './scopes.ts';

/** The roles that keys act in. */
export type KeyRole = 'org_admin' | 'platform_operator';

/** What of a key says how far it reaches. */
export interface KeyReach {
  orgId: string;
  makerRole: KeyRole;
  scopes: readonly string[];
  /** Its maker acted in the organization by the tuple `organization:o#operator@user:u` alone. */
  throughOperator: boolean;
}

/** What a stored user is now: a user is a place in one organization. */
export interface MakerStanding {
  orgId: string;
  role: Role;
  active: boolean;
}

/** Gives the role that the keys of a maker act in, or null for a role that makes none. */
export function keyRoleOf(maker: Role): KeyRole | null {
  if (maker === 'superadmin') return 'org_admin';
  return maker === 'org_admin' || maker === 'platform_operator' ? maker : null;
}

/**
 * Finds the first scope that reaches beyond a role: one that opens an action the role may not take. Null when all are
 * within it. `*` opens every action that any scope opens, a `write` those of its `read` as well.
 */
export function scopeBeyond(role: KeyRole, scopes: readonly string[]): string | null {
  return scopes.find((scope) => !isWithin(openedBy([scope]), role)) ?? null;
}

/**
 * Tells whether the maker of a key could still hand on what the key may do. A maker who is no stored user is vouched for by
 * the token the key was made with. A deactivated user's role counts: the keys of machines live on until they are revoked.
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

/** Tells whether the maker of a key of this organization may still sign in; true for a maker who is no stored user. */
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
