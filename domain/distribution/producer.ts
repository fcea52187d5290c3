// The life of a producer: from the application to the end of the contract, and what a producer may do in each state.
// Spec 3.3, Contract 3.7, domain facts 2.6.
import { DomainError } from '../errors.ts';
import { actionsFrom, refusedMove, type TransitionTable } from '../transition.ts';

export const PRODUCER_STATUSES = ['pending', 'active', 'suspended', 'terminated'] as const;
export type ProducerStatus = (typeof PRODUCER_STATUSES)[number];

/** The key for finding a producer number: people write its letters in either case. Decision 0186. */
export function numberKey(npn: string): string {
  return npn.toLowerCase();
}

/** The identity check of a producer; `completedAt` is null until the verifier has confirmed it. */
export interface VerifiedIdentity {
  inquiryId: string;
  completedAt: string | null;
}

/** A move is named after the status that it leads to, which is what callers send. */
const PRODUCER_MOVES: TransitionTable<ProducerStatus, ProducerStatus> = {
  pending: { active: 'active', terminated: 'terminated' },
  active: { suspended: 'suspended', terminated: 'terminated' },
  suspended: { active: 'active', terminated: 'terminated' },
  terminated: {},
};

/**
 * Returns the status that a person gives a producer; the present one changes nothing. Nobody becomes active before
 * their identity has been verified.
 * @throws DomainError invalid_state_transition with `{resource, from, action, allowed}`. Contract 3.7
 */
export function movedProducerStatus(
  { status, identity }: { status: ProducerStatus; identity: VerifiedIdentity | null },
  to: ProducerStatus,
): ProducerStatus {
  if (to === status) return status;
  const isVerified = identity !== null && identity.completedAt !== null;
  const allowed = actionsFrom(PRODUCER_MOVES, status).filter((move) => isVerified || move !== 'active');
  if (!allowed.includes(to)) throw refusedMove('producer', status, to, allowed);
  return to;
}

/** A producer at a sale: a line in a state, from a date on. */
export interface Seller {
  status: ProducerStatus;
  isLicensed: boolean;
  /** Those whose appointment of the producer is in force. */
  carriers: readonly string[];
}

/** What a seller lacks. `appointment`: nobody has appointed them; `carrier`: only other carriers have. */
export type SellerGap = 'status' | 'license' | 'appointment' | 'carrier';

/**
 * Names the first thing that a seller lacks to be active, licensed, and appointed by a carrier; null for nothing. A
 * null carrier stands for any. Contract 3.1.
 */
export function sellerGap({ status, isLicensed, carriers }: Seller, carrier: string | null): SellerGap | null {
  if (status !== 'active') return 'status';
  if (!isLicensed) return 'license';
  if (carriers.length === 0) return 'appointment';
  return carrier === null || carriers.some((other) => isSameCarrier(other, carrier)) ? null : 'carrier';
}

/** Whether two names mean one carrier: people write them in either case, with or without space around. */
export function isSameCarrier(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/**
 * Refuses new business of a producer who is suspended or terminated. Policies in force are serviced all the same, and
 * renewals are referred.
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

/** The blockers of new business of a producer in a status. */
export function salesBlockers(status: ProducerStatus): string[] {
  return status === 'suspended' || status === 'terminated' ? [`PRODUCER_${status.toUpperCase()}`] : [];
}

/** Refuses an appointment of a producer whose contract has ended. @throws DomainError invalid_state_transition */
export function ensureAppointable(status: ProducerStatus): void {
  if (status === 'terminated') throw refusedMove('producer', status, 'appoint', []);
}
