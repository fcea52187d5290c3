// Delegations: a user who may decide on referrals temporarily lends their authority to a deputy. Decision 0118.
import { addDays, type BusinessDate } from '../dates.ts';
import { DomainError, validationError } from '../errors.ts';
import type { Role } from '../permission-table.ts';
import { type Actor, roleMay } from '../permissions.ts';

/** Not in the specification. For anything longer, the deputy gets their own authority. */
const MOST_DAYS = 92;

/** The days on which it holds, both included, and when it was ended early; null if it was not. */
export interface DelegationPeriod {
  startsOn: BusinessDate;
  endsOn: BusinessDate;
  endedAt: Date | null;
}

export type DelegationStatus = 'planned' | 'active' | 'ended';

/** The status of a delegation on a day. */
export function delegationStatus(
  { startsOn, endsOn, endedAt }: DelegationPeriod,
  today: BusinessDate,
): DelegationStatus {
  if (endedAt !== null || endsOn < today) return 'ended';
  return startsOn > today ? 'planned' : 'active';
}

/**
 * Checks the days of a new delegation: none in the past, and at most 92.
 * @throws DomainError validation_failed for field `from` or `to`
 */
export function ensurePeriod({ from, to }: { from: BusinessDate; to: BusinessDate }, today: BusinessDate): void {
  if (from < today) throw validationError('from', 'min', `The first day must be ${today} or later.`, { min: today });
  if (to < from) throw validationError('to', 'min', 'The last day must not be before the first day.', { min: from });
  const last = addDays(from, MOST_DAYS - 1);
  if (to > last) throw validationError('to', 'max', `A delegation can last at most ${MOST_DAYS} days.`, { max: last });
}

/**
 * Refuses to lend authority that is held here as a guest.
 * @throws DomainError forbidden
 */
export function ensureOwnOrganization({ kind, orgId, homeOrgId }: Actor): void {
  if (kind === 'user' && orgId === homeOrgId) return;
  const message = 'You can delegate your authority only in your own organization.';
  throw new DomainError('forbidden', message, { permission: 'delegation:create' });
}

/**
 * Refuses a deputy who is the lender themselves or may not decide on referrals. A user not stored here (null) may
 * belong to another directory.
 * @throws DomainError validation_failed for field `toUserId`
 */
export function ensureDeputy(
  { id: lenderId }: Actor,
  deputyId: string,
  user: { isActive: boolean; role: Role } | null,
): void {
  const mayDecide = user === null || (user.isActive && roleMay(user.role, 'referral:decide'));
  if (deputyId !== lenderId && mayDecide) return;
  const message = 'The deputy must be another active user who may decide on referrals.';
  throw validationError('toUserId', 'unknown_reference', message);
}

/**
 * Checks that a delegation can still be ended.
 * @throws DomainError invalid_state_transition when it is over
 */
export function ensureEndable(delegation: DelegationPeriod, today: BusinessDate): void {
  const from = delegationStatus(delegation, today);
  if (from !== 'ended') return;
  throw new DomainError('invalid_state_transition', 'The delegation has already ended.', {
    ...{ resource: 'delegation', from, action: 'end', allowed: [] },
  });
}
