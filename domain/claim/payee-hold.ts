// A payee whose name is on a sanctions list. A match calls for a review: somebody with permission may clear that
// name on that claim, for the list entries that were shown. Domain facts 6.4.
import { DomainError } from '../errors.ts';
import { ROLES, type Role, roleMay } from '../permission-table.ts';
import { normalizeName } from '../submission/clearance.ts';
import type { SanctionsMatch } from '../submission/sanctions.ts';
import { refusedMove } from '../transition.ts';
import { PAYEE_SANCTIONED } from './settlement.ts';

/** The steps before which a payee is screened. */
export const HOLD_STEPS = ['offer', 'approval', 'payment', 'payout'] as const;
export type HoldStep = (typeof HOLD_STEPS)[number];

/** Whether two payees of a claim have the same name: letters and words count, case and punctuation do not. */
export function isSamePayee(name: string, other: string): boolean {
  return name === other || normalizeName(name) === normalizeName(other);
}

/** What a screening has found that nobody has cleared. An entry whose name or program has changed is another one. */
export function unclearedMatches(
  found: readonly SanctionsMatch[],
  cleared: readonly SanctionsMatch[],
): SanctionsMatch[] {
  const isCleared = ({ entryId, name, program }: SanctionsMatch) =>
    cleared.some((each) => each.entryId === entryId && each.name === name && each.program === program);
  return found.filter((match) => !isCleared(match));
}

/** Who may clear a payee: where the name is protected, only those who may also see it. */
export function clearingRoles(isProtected: boolean): Role[] {
  const may = (role: Role) => roleMay(role, 'sanctions:clear') && (!isProtected || roleMay(role, 'claim:read_phi'));
  return ROLES.filter((role) => role !== 'superadmin' && may(role));
}

/** Refuses to pay who is on a list. @throws DomainError not_ready with `{missing, blockers}` */
export function ensureUnheld(matches: readonly SanctionsMatch[]): void {
  if (matches.length > 0) throw heldPayee();
}

/** The refusal of a step whose payee is on a list. */
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
