// The life of a producer, from application to end of contract, and what a producer may do in each state. Spec 3.3,
// Contract 3.7, domain facts 2.6.
import { DomainError } from '../errors.ts';
import { actionsFrom, refusedMove, type TransitionTable } from '../transition.ts';

export const PRODUCER_STATUSES = ['pending', 'active', 'suspended', 'terminated'] as const;
export type ProducerStatus = (typeof PRODUCER_STATUSES)[number];

/** The key for finding a producer number: people write it in upper or lower case. Decision 0186. */
export function numberKey(npn: string): string {
  return npn.toLowerCase();
}

/** The identity check of a producer; `completedAt` is null until the verifier has confirmed it. */
export interface VerifiedIdentity {
  inquiryId: string;
  completedAt: string | null;
}

/** Moves are named after the resulting status, which is what callers send. */
const PRODUCER_MOVES: TransitionTable<ProducerStatus, ProducerStatus> = {
  pending: { active: 'active', terminated: 'terminated' },
  active: { suspended: 'suspended', terminated: 'terminated' },
  suspended: { active: 'active', terminated: 'terminated' },
  terminated: {},
};

/**
 * Returns the status that a person gives a producer; the current one changes nothing. No producer becomes active
 * before their identity is verified.
 * @throws DomainError invalid_state_transition with `{resource, from, action, allowed}`. Contract 3.7
 */
export function movedProducerStatus({ status, identity }: Verifiable, to: ProducerStatus): ProducerStatus {
  if (to === status) return status;
  const isVerified = isIdentityVerified(identity);
  const allowed = actionsFrom(PRODUCER_MOVES, status).filter((move) => isVerified || move !== 'active');
  if (!allowed.includes(to)) throw refusedMove('producer', status, to, allowed);
  return to;
}

/**
 * Refuses an identity check of a producer who has passed one or whose contract has ended.
 * @throws DomainError invalid_state_transition
 */
export function ensureUnverified({ status, identity }: Verifiable): void {
  if (status === 'terminated' || isIdentityVerified(identity)) {
    throw refusedMove('producer', status, 'identity-inquiry', []);
  }
}

interface Verifiable {
  status: ProducerStatus;
  identity: VerifiedIdentity | null;
}

function isIdentityVerified(identity: VerifiedIdentity | null): boolean {
  return identity !== null && identity.completedAt !== null;
}

/** A producer in a sale: a line in a state, from a date on. */
export interface Seller {
  status: ProducerStatus;
  isLicensed: boolean;
  /** Carriers whose appointment of the producer is in force. */
  carriers: readonly string[];
}

/** What a seller lacks. `appointment`: no carrier has appointed them; `carrier`: only other carriers have. */
export type SellerGap = 'status' | 'license' | 'appointment' | 'carrier';

/**
 * Returns the first thing that keeps a seller from being active, licensed, and appointed by a carrier; null if
 * nothing. A null carrier means any. Contract 3.1.
 */
export function sellerGap({ status, isLicensed, carriers }: Seller, carrier: string | null): SellerGap | null {
  if (status !== 'active') return 'status';
  if (!isLicensed) return 'license';
  if (carriers.length === 0) return 'appointment';
  return carrier === null || carriers.some((other) => isSameCarrier(other, carrier)) ? null : 'carrier';
}

/** Whether two names mean the same carrier: case and surrounding spaces do not matter. */
export function isSameCarrier(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/**
 * Refuses new business from a suspended or terminated producer. Policies in force are still serviced, and renewals are
 * referred.
 * @throws DomainError not_ready with `{missing, blockers}`
 */
export function ensureSells(status: ProducerStatus): void {
  const blockers = salesBlockers(status);
  if (blockers.length === 0) return;
  throw new DomainError('not_ready', `The producer is ${status} and cannot place new business.`, {
    missing: [],
    blockers,
  });
}

/** The blockers of new business for a producer's status. */
export function salesBlockers(status: ProducerStatus): string[] {
  return status === 'suspended' || status === 'terminated' ? [`PRODUCER_${status.toUpperCase()}`] : [];
}

/** Refuses an appointment of a producer whose contract has ended. @throws DomainError invalid_state_transition */
export function ensureAppointable(status: ProducerStatus): void {
  if (status === 'terminated') throw refusedMove('producer', status, 'appoint', []);
}
