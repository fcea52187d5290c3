// Referrals: requests for a decision by a person with more authority. Their states, what an approval clears, and how
// much authority the decider needs. Spec 4.11, Contract 3.7.

import { DomainError } from '../errors.ts';
import { type Cents, toDollars } from '../money.ts';
import { actionsFrom, nextState, type TransitionTable } from '../transition.ts';
import { type DaFlag, NEVER_CLEARED } from './authority.ts';

export const REFERRAL_STATUSES = ['pending', 'info_requested', 'approved', 'rejected', 'withdrawn', 'expired'] as const;
export type ReferralStatus = (typeof REFERRAL_STATUSES)[number];

export const REFERRAL_DECISIONS = ['approve', 'reject', 'request_info'] as const;
export type ReferralDecision = (typeof REFERRAL_DECISIONS)[number];

type ReferralAction = ReferralDecision | 'answer' | 'withdraw' | 'expire';

const MOVES: TransitionTable<ReferralStatus, ReferralAction> = {
  pending: {
    ...{ approve: 'approved', reject: 'rejected', request_info: 'info_requested' },
    ...{ withdraw: 'withdrawn', expire: 'expired' },
  },
  info_requested: {
    ...{ approve: 'approved', reject: 'rejected', answer: 'pending' },
    ...{ withdraw: 'withdrawn', expire: 'expired' },
  },
  approved: {},
  rejected: {},
  withdrawn: {},
  expired: {},
};

/** Moves that callers cannot make: a referral is withdrawn by changes to its subject and expires by the calendar. */
const NO_OPERATION: readonly string[] = ['withdraw', 'expire'];

/** The states in which a referral waits for a decision. */
export const OPEN_REFERRAL_STATUSES: readonly ReferralStatus[] = REFERRAL_STATUSES.filter(
  (status) => actionsFrom(MOVES, status).length > 0,
);

/**
 * Returns the state that an action leads to.
 * @throws DomainError invalid_state_transition with `{resource, from, action, allowed}`. Contract 3.7 "decided twice"
 */
export function nextReferralStatus(from: ReferralStatus, action: ReferralAction): ReferralStatus {
  try {
    return nextState(MOVES, 'referral', from, action);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const allowed = actionsFrom(MOVES, from).filter((other) => !NO_OPERATION.includes(other));
    throw new DomainError(error.code, error.message, { ...error.details, allowed });
  }
}

/**
 * Refuses an answer by the author of the question: it would look like the requester's. `answeredBy` holds the person
 * answering and those behind them.
 * @throws DomainError forbidden, reason own_question
 */
export function ensureAnsweredByOthers(
  remarks: readonly { kind: string; by: string }[],
  answeredBy: readonly string[],
): void {
  const asker = remarks.findLast(({ kind }) => kind === 'question')?.by;
  if (asker === undefined || !answeredBy.includes(asker)) return;
  const message = 'You cannot answer your own question. Someone else must answer it, or you decide without an answer.';
  throw new DomainError('forbidden', message, { permission: 'referral:create', reason: 'own_question' });
}

/** What a decision commits the organization to; null if unknown. Money in cents. */
export interface ReferredFigures {
  limitCents: Cents | null;
  premiumCents: Cents | null;
  lineOfBusiness: string | null;
}

/** What a change of a policy would have led to when it was refused; money in cents. */
export interface AgreedFigures {
  limitCents: Cents;
  /** Of the whole term, after the change. */
  premiumCents: Cents;
  premiumChangeCents: Cents;
}

/** A user without their own authority has the contract's limits. Contract 3.10. */
const CONTRACT_LIMITS: readonly string[] = ['DA_LIMIT_EXCEEDED', 'DA_PREMIUM_EXCEEDED'];

/** How the referred risk exceeds the limits of the contract, in dollars; null when it does not. */
export function contractExcess(flags: readonly DaFlag[]): { limit: number; actual: number } | null {
  const above = flags.find(({ code }) => CONTRACT_LIMITS.includes(code));
  if (typeof above?.limit !== 'number' || typeof above.actual !== 'number') return null;
  return { limit: above.limit, actual: above.actual };
}

/** An approval, as shown on the flags that it clears. */
export interface Clearance {
  referralId: string;
  clearedBy: string;
  /** ISO 8601. */
  clearedAt: string;
}

/** Returns flags after an approval: refer flags cleared, except those that no approval clears. Contract 3.7. */
export function clearedFlags(flags: readonly DaFlag[], clearance: Clearance): DaFlag[] {
  return flags.map((flag) => (isClearable(flag) ? { ...flag, ...clearance } : flag));
}

function isClearable({ severity, code, clearedAt }: DaFlag): boolean {
  return severity === 'refer' && clearedAt === null && !NEVER_CLEARED.includes(code);
}

/**
 * Refuses to carry out a change whose figures differ from those referred.
 * @throws DomainError quote_expired with `{requested, now}` in dollars
 */
export function ensureAgreed(agreed: AgreedFigures | null, now: AgreedFigures): void {
  if (agreed === null) return;
  const names = ['limitCents', 'premiumCents', 'premiumChangeCents'] as const;
  if (names.every((name) => agreed[name] === now[name])) return;
  throw new DomainError('quote_expired', 'The figures have changed since the referral. Request the change again.', {
    requested: figuresInDollars(agreed),
    now: figuresInDollars(now),
  });
}

/** Returns figures in dollars, by their wire names. */
export function figuresInDollars({ limitCents, premiumCents, premiumChangeCents }: AgreedFigures) {
  return {
    limit: toDollars(limitCents),
    premium: toDollars(premiumCents),
    premiumChange: toDollars(premiumChangeCents),
  };
}
