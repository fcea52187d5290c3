// What a policy owes that is not billed yet, by part; and how much of it a void invoice bills when it is reissued.
// Contract 3.4 "void".
import { fittedReturn } from '../billing/ledger/composed-return.ts';
import { DomainError } from '../errors.ts';
import { type Cents, toDollars } from '../money.ts';
import { addParts, NO_PARTS, negativeParts, PART_NAMES, type Parts, takeOff, totalOfParts } from './parts.ts';

/** Money returned, or about to be, because the policy changed; `cents` is positive. */
export interface ChangeReturn {
  cents: Cents;
  /** Null counts as premium. */
  composition: Readonly<Parts> | null;
}

/** What a policy's standing invoices bill, and what was returned because the policy changed. */
export interface BilledParts {
  billed: Readonly<Parts>;
  returns: readonly ChangeReturn[];
}

/**
 * Returns by how much `written` exceeds what the standing invoices bill, part by part and never below zero. Money
 * returned because the policy changed is no longer billed; a refund for another reason leaves its invoice as it is.
 */
export function unbilledParts(written: Readonly<Parts>, { billed, returns }: BilledParts): Parts {
  const open = addParts(written, negativeParts(billed), returnedByChange(returns));
  for (const part of PART_NAMES) open[part] = Math.max(open[part], 0);
  return open;
}

/**
 * Returns the parts that a void invoice bills when it is reissued: its own where they are unbilled, and other unbilled
 * parts in place of the rest. A null `amountCents` bills its whole total.
 * @throws DomainError amount_exceeds_balance with `{amount, unbilled}` in dollars, so that nothing is billed that is
 * not owed
 */
export function reissuedParts(
  voided: Readonly<Parts>,
  unbilled: Readonly<Parts>,
  amountCents: Cents | null = null,
): Parts {
  const totalCents = totalOfParts(voided);
  const wantedCents = amountCents ?? totalCents;
  const mostCents = Math.min(totalCents, totalOfParts(unbilled));
  if (wantedCents <= 0 || wantedCents > mostCents) {
    const details = { amount: toDollars(wantedCents), unbilled: toDollars(mostCents) };
    throw new DomainError(
      'amount_exceeds_balance',
      'The amount is more than the unbilled part of what the policy owes.',
      details,
    );
  }
  const own = { ...NO_PARTS };
  for (const part of PART_NAMES) own[part] = Math.max(Math.min(voided[part], unbilled[part]), 0);
  const ownCents = totalOfParts(own);
  if (ownCents >= wantedCents) return takeOff(own, ownCents - wantedCents);
  const others = addParts(unbilled, negativeParts(own));
  const kept = takeOff(others, totalOfParts(others) - (wantedCents - ownCents));
  return addParts(own, kept);
}

/**
 * Refuses to undo a change while its refund awaits a decision: only what was actually refunded is billed again.
 * @throws DomainError not_ready with `{missing, blockers}`
 */
export function ensureDecided(areRefundsDecided: boolean): void {
  if (areRefundsDecided) return;
  const details = { missing: [], blockers: ['REFUND_AWAITS_APPROVAL'] };
  throw new DomainError('not_ready', 'A refund for this change is awaiting approval. Decide on it first.', details);
}

/** Adds up, by part, what was returned because the policy changed. */
export function returnedByChange(returns: readonly ChangeReturn[]): Parts {
  return addParts(...returns.map(({ cents, composition }) => returnedParts(cents, composition)));
}

function returnedParts(cents: Cents, composition: Readonly<Parts> | null): Parts {
  if (composition === null) return { ...NO_PARTS, premiumCents: cents };
  const { carrierCents: premiumCents, taxCents, stampingCents, feeCents } = fittedReturn(composition, cents);
  return { premiumCents, taxCents, stampingCents, feeCents };
}
