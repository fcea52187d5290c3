// Voiding an endorsement that was issued by mistake: whether it can be, and what the term costs without it. The later
// ones are reapplied as if it had never been issued. Contract 3.2.
import { DomainError } from '../errors.ts';
import { sumCents } from '../money.ts';
import {
  type AnnualPremium,
  applyInOrder,
  type Endorsement,
  type EndorsementPrice,
  ensureFound,
  firstStep,
  worthOf,
} from './endorsement.ts';
import { type CoverageGap, type CoverageTerm, type StackedTransaction, standingRows } from './stack.ts';

/**
 * Finds the endorsement to void: one still in effect that is not itself the void of another.
 * @throws DomainError not_found, invalid_state_transition with `{resource, from, action, allowed}`
 */
export function voidableEndorsement<T extends StackedTransaction>(stack: readonly T[], transactionId: string): T {
  const found = stack.find(({ id }) => id === transactionId);
  if (found === undefined) throw new DomainError('not_found', 'The policy has no such transaction.');
  if (isVoidable(stack, found)) return found;
  const isVoid = !standingRows(stack).includes(found);
  const message = isVoid
    ? 'The endorsement has already been voided, or it voids another one.'
    : `Only an endorsement can be voided; this transaction is of type ${found.type}.`;
  throw new DomainError('invalid_state_transition', message, {
    resource: 'transaction',
    from: isVoid ? 'reversed' : found.type,
    action: 'void',
    allowed: [],
  });
}

/** Whether a transaction in a stack is an endorsement still in effect. */
export function isVoidable(stack: readonly StackedTransaction[], row: StackedTransaction): boolean {
  return row.type === 'endorsement' && standingRows(stack).includes(row);
}

/**
 * Prices the void of an endorsement: its premium on top of the earlier-effective ones is returned, and the
 * later-effective ones are repriced without it. The terms before are those on its effective date with it; the terms
 * after, those without it.
 */
export function priceReversal<Terms extends object>(order: {
  term: CoverageTerm;
  gaps?: readonly CoverageGap[];
  /** Terms on the first day. */
  firstTerms: Terms;
  /** Those still in effect, including the one to void. */
  endorsements: readonly Endorsement<Terms>[];
  voidedId: string;
  rate: AnnualPremium<Terms>;
}): EndorsementPrice<Terms> {
  const { term, gaps = [], firstTerms, endorsements, voidedId, rate } = order;
  const first = firstStep(firstTerms, rate);
  const withIt = applyInOrder(firstTerms, endorsements, rate);
  const without = applyInOrder(
    firstTerms,
    endorsements.filter(({ transactionId }) => transactionId !== voidedId),
    rate,
  );
  const place = withIt.findIndex(({ endorsement }) => endorsement.transactionId === voidedId);
  const before = ensureFound(withIt[place]);
  const after = without[place - 1] ?? first;
  const coverage = { term, gaps, first };
  const reapplied = without.slice(place).map(({ endorsement }, index) => ({
    transactionId: endorsement.transactionId,
    premiumChangeCents: worthOf(without, place + index, coverage) - worthOf(withIt, place + 1 + index, coverage),
  }));
  const ownPremiumChangeCents = 0 - worthOf(withIt, place, coverage);
  return {
    termsBefore: before.terms,
    termsAfter: after.terms,
    lastTerms: (without.at(-1) ?? first).terms,
    annualBeforeCents: before.annualCents,
    annualAfterCents: after.annualCents,
    premiumChangeCents: sumCents([ownPremiumChangeCents, ...reapplied.map((each) => each.premiumChangeCents)]),
    ownPremiumChangeCents,
    reapplied,
  };
}
