// A payment on a claim: indemnity, or loss adjustment expense. Contract 3.3, domain facts 4.2.
import { DomainError } from '../errors.ts';
import type { Cents } from '../money.ts';
import { type ClaimAmounts, outstanding } from './figures.ts';
import { deductibleLeft, type SettlementBounds, settled } from './settlement.ts';

export const PAYMENT_KINDS = ['indemnity', 'expense'] as const;
export type ClaimPaymentKind = (typeof PAYMENT_KINDS)[number];

/** `pending` waits for the loss fund; `paid` has left it; `void` was stopped or taken back. */
export const CLAIM_PAYMENT_STATUSES = ['pending', 'paid', 'void'] as const;
export type ClaimPaymentStatus = (typeof CLAIM_PAYMENT_STATUSES)[number];

export const RECOVERY_KINDS = ['salvage', 'subrogation'] as const;
export type RecoveryKind = (typeof RECOVERY_KINDS)[number];

/**
 * Returns the amounts of a payment outside a settlement: within the outstanding reserve of its kind, and for indemnity
 * within the remaining limits. The indemnity reserve holds the whole loss, so the insured's part, the deductible not
 * yet taken, is not available for payment.
 * @throws DomainError reserve_too_low with `{reserve, deductible?, actual}` in dollars, limit_exhausted
 */
export function payableAmounts(kind: ClaimPaymentKind, cents: Cents, bounds: SettlementBounds): ClaimAmounts {
  const { indemnityCents, expenseCents } = outstanding(bounds.figures);
  if (kind === 'expense') ensureReserved(cents, { kind, reserveCents: expenseCents, deductibleCents: 0 });
  else {
    ensureReserved(cents, { kind, reserveCents: indemnityCents, deductibleCents: deductibleLeft(bounds) });
    settled(cents, bounds);
  }
  return amountsOf(kind, cents);
}

function ensureReserved(
  cents: Cents,
  { kind, reserveCents, deductibleCents }: { kind: ClaimPaymentKind; reserveCents: Cents; deductibleCents: Cents },
): void {
  if (cents + deductibleCents <= reserveCents) return;
  const reserve = deductibleCents > 0 ? `${kind} reserve less the deductible` : `${kind} reserve`;
  throw new DomainError('reserve_too_low', `The payment exceeds the ${reserve}. Raise the reserve first.`, {
    reserve: reserveCents / 100,
    ...(deductibleCents > 0 ? { deductible: deductibleCents / 100 } : {}),
    actual: cents / 100,
  });
}

/** The amounts of a payment of a kind. */
export function amountsOf(kind: ClaimPaymentKind, cents: Cents): ClaimAmounts {
  return kind === 'indemnity' ? { indemnityCents: cents, expenseCents: 0 } : { indemnityCents: 0, expenseCents: cents };
}

/** Refuses to void a payment twice. @throws DomainError invalid_state_transition */
export function ensurePaymentVoidable(status: ClaimPaymentStatus): void {
  if (status !== 'void') return;
  throw new DomainError('invalid_state_transition', 'The payment is void.', {
    ...{ resource: 'claim_payment', from: status, action: 'void', allowed: [] },
  });
}
