// The amounts of a claim as its row keeps them.
import type { Claim } from '../../db/entities/claim/claim.ts';
import type { ClaimFigures } from '../../domain/claim/figures.ts';

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

/** The columns that keep a claim's amounts. */
export function columnsOf({ reserves, paid, recoveredCents }: ClaimFigures): Columns {
  return {
    reserveIndemnityCents: reserves.indemnityCents,
    reserveExpenseCents: reserves.expenseCents,
    paidIndemnityCents: paid.indemnityCents,
    paidExpenseCents: paid.expenseCents,
    recoveredCents,
  };
}
