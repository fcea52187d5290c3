// The amounts of a claim, in cents. A reserve is the expected total cost of the claim, including what is paid; the
// part not yet paid is outstanding. Contract 3.3, domain facts 2.4, 3.3.
import { DomainError } from '../errors.ts';
import { type Cents, dollarText } from '../money.ts';

/** Payments to the injured, and loss adjustment expense. */
export interface ClaimAmounts {
  indemnityCents: Cents;
  expenseCents: Cents;
}

export interface ClaimFigures {
  reserves: ClaimAmounts;
  paid: ClaimAmounts;
  recoveredCents: Cents;
}

/** The figures of a new claim. */
export const NOTHING_RESERVED: ClaimFigures = {
  reserves: { indemnityCents: 0, expenseCents: 0 },
  paid: { indemnityCents: 0, expenseCents: 0 },
  recoveredCents: 0,
};

/** Reserves not yet paid. */
export function outstanding({ reserves, paid }: ClaimFigures): ClaimAmounts {
  return {
    indemnityCents: reserves.indemnityCents - paid.indemnityCents,
    expenseCents: reserves.expenseCents - paid.expenseCents,
  };
}

/** Both amounts together. */
export function sumOfAmounts({ indemnityCents, expenseCents }: ClaimAmounts): Cents {
  return indemnityCents + expenseCents;
}

/** Incurred = paid + outstanding − recoveries. Domain facts 3.3. */
export function incurredCents(figures: ClaimFigures): Cents {
  return sumOfAmounts(figures.paid) + sumOfAmounts(outstanding(figures)) - figures.recoveredCents;
}

/**
 * Sets the reserves to absolute new values.
 * @throws DomainError reserve_too_low with `{kind, reserve, paid}` in dollars, if below what is paid
 */
export function reserved(figures: ClaimFigures, reserves: ClaimAmounts): ClaimFigures {
  ensureCovers('indemnity', reserves.indemnityCents, figures.paid.indemnityCents);
  ensureCovers('expense', reserves.expenseCents, figures.paid.expenseCents);
  return { ...figures, reserves: { ...reserves } };
}

/** Pays amounts out of the reserves, reducing what is outstanding. The amounts are within what is outstanding. */
export function paid(figures: ClaimFigures, amounts: ClaimAmounts): ClaimFigures {
  const { indemnityCents, expenseCents } = figures.paid;
  return {
    ...figures,
    paid: {
      indemnityCents: indemnityCents + amounts.indemnityCents,
      expenseCents: expenseCents + amounts.expenseCents,
    },
  };
}

/**
 * Takes the insured's part of a settled loss (the deductible) out of the indemnity reserve: it will not be paid. A
 * negative amount puts it back. The amount is within what is outstanding.
 */
export function borne(figures: ClaimFigures, deductibleCents: Cents): ClaimFigures {
  const { indemnityCents, expenseCents } = figures.reserves;
  return { ...figures, reserves: { indemnityCents: indemnityCents - deductibleCents, expenseCents } };
}

/**
 * Takes a payment back: its amount is outstanding again. Recoveries must stay within what has left the fund:
 * `leftCents` in all, which includes `amounts` only if the payment itself has left.
 * @throws DomainError amount_exceeds_balance with `{balance, actual}` in dollars, above what has left and is not
 * recovered
 */
export function unpaid(
  figures: ClaimFigures,
  amounts: ClaimAmounts,
  { leftCents, hasLeft }: { leftCents: Cents; hasLeft: boolean },
): ClaimFigures {
  const balanceCents = Math.max(0, leftCents - figures.recoveredCents);
  const { indemnityCents, expenseCents } = amounts;
  if (!hasLeft || sumOfAmounts(amounts) <= balanceCents) {
    return paid(figures, { indemnityCents: -indemnityCents, expenseCents: -expenseCents });
  }
  throw new DomainError('amount_exceeds_balance', 'This would leave less paid on the claim than has been recovered.', {
    balance: balanceCents / 100,
    actual: sumOfAmounts(amounts) / 100,
  });
}

/**
 * Counts a recovery on the claim. Nothing can be recovered from a pending or void payment: `leftCents` is the money
 * that has actually left.
 * @throws DomainError amount_exceeds_balance with `{balance, actual}` in dollars, above what has left and is not
 * recovered
 */
export function recovered(figures: ClaimFigures, cents: Cents, leftCents: Cents): ClaimFigures {
  const balanceCents = Math.max(0, leftCents - figures.recoveredCents);
  if (cents <= balanceCents) return { ...figures, recoveredCents: figures.recoveredCents + cents };
  throw new DomainError(
    'amount_exceeds_balance',
    'Recoveries cannot exceed the payments that have left the loss fund.',
    {
      balance: balanceCents / 100,
      actual: cents / 100,
    },
  );
}

/** Takes what is outstanding down to zero: nothing more will be paid. Domain facts 2.4. */
export function takenDown(figures: ClaimFigures): ClaimFigures {
  return { ...figures, reserves: { ...figures.paid } };
}

function ensureCovers(kind: 'indemnity' | 'expense', reserveCents: Cents, paidCents: Cents): void {
  if (reserveCents >= paidCents) return;
  const [total, least] = [dollarText(reserveCents), dollarText(paidCents)];
  const message = `A reserve is the total that the claim will cost: ${total} for ${kind} is less than the ${least} already paid.`;
  throw new DomainError('reserve_too_low', message, { kind, reserve: reserveCents / 100, paid: paidCents / 100 });
}
