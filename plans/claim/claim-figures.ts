// A claim's amounts as stored in its row.
import type { Claim } from '../../db/entities/claim/claim.ts';
import { type ClaimFigures, sumOfAmounts } from '../../domain/claim/figures.ts';
import type { Cents } from '../../domain/money.ts';

type Columns = Pick<
  Claim,
  'reserveIndemnityCents' | 'reserveExpenseCents' | 'paidIndemnityCents' | 'paidExpenseCents' | 'recoveredCents'
>;

/** The amounts of a claim. */
export function figuresOf(claim: Readonly<Columns>): ClaimFigures {
  const { reserveIndemnityCents, reserveExpenseCents, paidIndemnityCents, paidExpenseCents, recoveredCents } = claim;
  return {
    reserves: { indemnityCents: reserveIndemnityCents, expenseCents: reserveExpenseCents },
    paid: { indemnityCents: paidIndemnityCents, expenseCents: paidExpenseCents },
    recoveredCents,
  };
}

/**
 * A claim's total cost with another settlement or payment, in cents: everything paid so far, plus the deductible
 * taken. Own authority is checked against it, so that an amount cannot be split into allowed parts.
 */
export function settledInAll(
  claim: Readonly<Columns & Pick<Claim, 'deductibleTakenCents'>>,
  amountCents: Cents,
): Cents {
  return sumOfAmounts(figuresOf(claim).paid) + claim.deductibleTakenCents + amountCents;
}

/** The columns that store a claim's amounts. */
export function columnsOf({ reserves, paid, recoveredCents }: ClaimFigures): Columns {
  return {
    reserveIndemnityCents: reserves.indemnityCents,
    reserveExpenseCents: reserves.expenseCents,
    paidIndemnityCents: paid.indemnityCents,
    paidExpenseCents: paid.expenseCents,
    recoveredCents,
  };
}
