// Which moves of a claim would succeed now with some request body, decided by the same rules that refuse them.
// Contract 1 `invalid_state_transition`.
import { DomainError } from '../errors.ts';
import type { Cents } from '../money.ts';
import { type ClaimAction, type ClaimStatus, movesFrom, voidedClaimStatus } from './claim.ts';
import {
  amountsOf,
  type ClaimPaymentKind,
  type ClaimPaymentStatus,
  ensurePaymentVoidable,
  PAYMENT_KINDS,
  payableAmounts,
} from './claim-payment.ts';
import { recovered, unpaid } from './figures.ts';
import { type Settlement, type SettlementBounds, settled } from './settlement.ts';

/** What decides which moves a claim allows. */
export interface ClaimStanding {
  status: ClaimStatus;
  settlement: Pick<Settlement, 'amountCents' | 'blockers'> | null;
  bounds: SettlementBounds;
  payments: readonly StandingPayment[];
}

export interface StandingPayment {
  kind: ClaimPaymentKind;
  status: ClaimPaymentStatus;
  amountCents: Cents;
}

/** The smallest amount that can be requested. */
const LEAST_CENTS = 1;

/** What a move needs besides the state: that its refusing rules pass. Moves not listed need nothing more. */
const WOULD_SUCCEED: Readonly<Partial<Record<ClaimAction, (claim: ClaimStanding) => boolean>>> = {
  settle: ({ bounds }) => isAccepted(() => settled(LEAST_CENTS, bounds)),
  approve: ({ settlement, bounds }) =>
    settlement?.blockers.length === 0 && isAccepted(() => settled(settlement.amountCents, bounds)),
  pay: ({ bounds }) => PAYMENT_KINDS.some((kind) => isAccepted(() => payableAmounts(kind, LEAST_CENTS, bounds))),
  void: (claim) => claim.payments.some((payment) => isAccepted(() => ensureTakenBack(claim, payment))),
  recover: ({ bounds, payments }) => isAccepted(() => recovered(bounds.figures, LEAST_CENTS, leftOf(payments))),
};

/** Lists the moves that would succeed now for a user with the permission. */
export function claimMoves(claim: ClaimStanding): ClaimAction[] {
  return movesFrom(claim.status).filter((action) => WOULD_SUCCEED[action]?.(claim) ?? true);
}

function ensureTakenBack(
  { status, bounds, payments }: ClaimStanding,
  { kind, status: of, amountCents }: StandingPayment,
): void {
  voidedClaimStatus(status, of);
  ensurePaymentVoidable(of);
  unpaid(bounds.figures, amountsOf(kind, amountCents), { leftCents: leftOf(payments), hasLeft: of === 'paid' });
}

function leftOf(payments: readonly StandingPayment[]): Cents {
  return payments.reduce((sum, { status, amountCents }) => (status === 'paid' ? sum + amountCents : sum), 0);
}

function isAccepted(rule: () => unknown): boolean {
  try {
    rule();
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
