// A claim's settlement: an offer, and the decision on it. Contract 3.3, domain facts 2.4.
import type { BusinessDate } from '../dates.ts';
import { DomainError } from '../errors.ts';
import type { Cents } from '../money.ts';
import type { ActorRef } from '../permissions.ts';
import { type LossCoverage, wasInForce } from './coverage.ts';
import { type ClaimFigures, outstanding } from './figures.ts';

export const SETTLEMENT_STATUSES = ['offered', 'approved', 'rejected'] as const;
export type SettlementStatus = (typeof SETTLEMENT_STATUSES)[number];

/** The payee is on a sanctions list: nothing is paid. Domain facts 6.4. */
export const PAYEE_SANCTIONED = 'SANCTIONS_REVIEW';

/** The claim's latest settlement, in cents; the payee and the notes are stored with the claim's other texts. */
export interface Settlement {
  id: string;
  status: SettlementStatus;
  amountCents: Cents;
  /** The insured's part of the amount. */
  deductibleCents: Cents;
  /** What is paid: the amount less the deductible. */
  payableCents: Cents;
  /** Why it cannot be approved. */
  blockers: string[];
  offeredBy: ActorRef;
  /** The creator of the API key that offered it. */
  onBehalfOf?: string | null;
  decidedBy: ActorRef | null;
  /** The business date of the offer, then of the decision. */
  on: BusinessDate;
  noteId: string | null;
}

/** The people and keys behind an offer. None of them may approve it. */
export function offerersOf({ offeredBy, onBehalfOf = null }: Settlement): string[] {
  return onBehalfOf === null ? [offeredBy.id] : [offeredBy.id, onBehalfOf];
}

/** What a settlement is measured against. */
export interface SettlementBounds {
  figures: ClaimFigures;
  coverage: LossCoverage;
  /** The indemnity paid on all claims of the term. */
  paidOfTermCents: Cents;
  /** The part of the deductible taken by the claim's earlier settlements, except void payments. */
  deductibleTakenCents: Cents;
}

/**
 * Divides a settlement into the insured's part and what is paid. The deductible is taken once per claim.
 * @throws DomainError reserve_too_low with `{reserve, actual}` above the outstanding indemnity reserve,
 * limit_exhausted with `{limit, remaining, actual}` above what is left of a limit; in dollars
 */
export function settled(
  amountCents: Cents,
  bounds: SettlementBounds,
): Pick<Settlement, 'deductibleCents' | 'payableCents'> {
  const { figures, coverage, paidOfTermCents } = bounds;
  const { indemnityCents: reserveCents } = outstanding(figures);
  if (amountCents > reserveCents) {
    throw new DomainError('reserve_too_low', 'The settlement exceeds the indemnity reserve.', {
      reserve: reserveCents / 100,
      actual: amountCents / 100,
    });
  }
  const { limitCents, aggregateLimitCents } = wasInForce(coverage) ? coverage : NO_LIMITS;
  ensureWithin('occurrence', limitCents, figures.paid.indemnityCents, amountCents);
  ensureWithin('aggregate', aggregateLimitCents, paidOfTermCents, amountCents);
  return divided(amountCents, bounds);
}

/** Returns an open offer as it would be paid now: the deductible follows the coverage and earlier settlements. */
export function restated(settlement: Settlement | null, bounds: DeductibleBounds): Settlement | null {
  if (settlement?.status !== 'offered') return settlement;
  return { ...settlement, ...divided(settlement.amountCents, bounds) };
}

function divided(amountCents: Cents, bounds: DeductibleBounds): Pick<Settlement, 'deductibleCents' | 'payableCents'> {
  const deductibleCents = Math.min(amountCents, deductibleLeft(bounds));
  return { deductibleCents, payableCents: amountCents - deductibleCents };
}

type DeductibleBounds = Pick<SettlementBounds, 'coverage' | 'deductibleTakenCents'>;

/** The part of the deductible not yet taken, in cents. */
export function deductibleLeft({ coverage, deductibleTakenCents }: DeductibleBounds): Cents {
  return Math.max(0, (coverage.deductibleCents ?? 0) - deductibleTakenCents);
}

/** For a policy that was not in force on the date of loss. */
const NO_LIMITS = { limitCents: 0, aggregateLimitCents: 0 };

function ensureWithin(
  limit: 'occurrence' | 'aggregate',
  limitCents: Cents | null,
  usedCents: Cents,
  cents: Cents,
): void {
  const remainingCents = Math.max(0, (limitCents ?? 0) - usedCents);
  if (cents <= remainingCents) return;
  throw new DomainError('limit_exhausted', `The settlement exceeds the remaining ${limit} limit.`, {
    limit,
    remaining: remainingCents / 100,
    actual: cents / 100,
  });
}
