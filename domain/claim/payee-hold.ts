// A payee whose name is on a sanctions list. A match requires a review: a user with permission may clear that name on
// that claim, for the list entries shown. Domain facts 6.4.
import { DomainError } from '../errors.ts';
import { ROLES, type Role, roleMay } from '../permission-table.ts';
import type { SanctionsMatch } from '../submission/sanctions.ts';
import { unclearedMatches } from '../submission/sanctions-clearance.ts';
import { refusedMove } from '../transition.ts';
import { PAYEE_SANCTIONED } from './settlement.ts';

/** The steps before which a payee is screened. */
export const HOLD_STEPS = ['offer', 'approval', 'payment', 'payout'] as const;
export type HoldStep = (typeof HOLD_STEPS)[number];

/**
 * The list entries for which a payee is held: those found by a screening, and those on the name's open holds. An entry
 * since removed from the list must still be cleared.
 */
export function standingMatches(
  found: readonly SanctionsMatch[],
  holds: readonly { matches: readonly SanctionsMatch[]; clearedOn: string | null }[],
): SanctionsMatch[] {
  const matchesOf = (isCleared: boolean) =>
    holds.filter(({ clearedOn }) => (clearedOn !== null) === isCleared).flatMap(({ matches }) => matches);
  const standing = [...found];
  for (const match of matchesOf(false)) standing.push(...unclearedMatches([match], standing));
  return unclearedMatches(standing, matchesOf(true));
}

/** Who may clear a payee; if the name is protected, only those who may also see it. */
export function clearingRoles(isProtected: boolean): Role[] {
  const may = (role: Role) => roleMay(role, 'sanctions:clear') && (!isProtected || roleMay(role, 'claim:read_phi'));
  return ROLES.filter((role) => role !== 'superadmin' && may(role));
}

/** Refuses to pay a listed payee. @throws DomainError not_ready with `{missing, blockers}` */
export function ensureUnheld(matches: readonly SanctionsMatch[]): void {
  if (matches.length > 0) throw heldPayee();
}

/** The refusal of a step whose payee is listed. */
export function heldPayee(): DomainError {
  return new DomainError('not_ready', 'The payee matches a sanctions list and must be cleared first.', {
    missing: [],
    blockers: [PAYEE_SANCTIONED],
  });
}

/** Refuses to clear a payee twice. @throws DomainError invalid_state_transition */
export function ensureClearable(clearedOn: string | null): void {
  if (clearedOn !== null) throw refusedMove('payee_hold', 'cleared', 'clear', []);
}
