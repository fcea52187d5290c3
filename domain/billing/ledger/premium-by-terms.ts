// One invoice's premium by the commission terms in effect at issue: an endorsement spread over existing installments
// keeps the tier of its own issue. Contract 3.4 "Commission record".
import { type Cents, sumCents } from '../../money.ts';
import { multiplyRatios, ratio, roundHalfUp } from '../../ratio.ts';
import type { CommissionTerms } from '../commission.ts';

/** The premium that one transaction put on an invoice; negative for a return. */
export interface MovedPremium {
  transactionId: string;
  terms: CommissionTerms;
  premiumCents: Cents;
  /** Ending or restoring coverage changes all premium alike, whatever terms each part was issued at. */
  isSpread: boolean;
}

/** Premium at one set of terms, with the first transaction that brought it. */
export type PremiumAtTerms = Omit<MovedPremium, 'isSpread'>;

/** Whether two transactions split premium the same way. */
export function isSameTerms(one: CommissionTerms, other: CommissionTerms): boolean {
  return one.tier === other.tier && one.agentRate === other.agentRate && one.mgaRate === other.mgaRate;
}

/**
 * Returns an invoice's premium by terms; the first are those of the transaction that billed it, `moves[0]`, even
 * without premium. A return takes from its own terms first, then from all pro rata. The sum stays the same.
 */
export function premiumByTerms(
  moves: readonly [MovedPremium, ...MovedPremium[]],
): [PremiumAtTerms, ...PremiumAtTerms[]] {
  const [{ transactionId, terms }] = moves;
  const found: [PremiumAtTerms, ...PremiumAtTerms[]] = [{ transactionId, terms, premiumCents: 0 }];
  const own = moves.filter(({ isSpread }) => !isSpread);
  for (const move of own.filter(({ premiumCents }) => premiumCents > 0)) add(found, move);
  let restCents = sumCents(moves.filter(({ isSpread }) => isSpread).map(({ premiumCents }) => premiumCents));
  for (const { terms, premiumCents } of own.filter((move) => move.premiumCents < 0)) {
    const place = found.find((each) => isSameTerms(each.terms, terms));
    const takenCents = Math.min(place?.premiumCents ?? 0, -premiumCents);
    if (place !== undefined) place.premiumCents -= takenCents;
    restCents += premiumCents + takenCents;
  }
  const shares = inProportion(
    restCents,
    found.map(({ premiumCents }) => premiumCents),
  );
  for (const [index, each] of found.entries()) each.premiumCents += shares[index] ?? 0;
  return found;
}

function add(found: PremiumAtTerms[], { transactionId, terms, premiumCents }: MovedPremium): void {
  const place = found.find((each) => isSameTerms(each.terms, terms));
  if (place === undefined) found.push({ transactionId, terms, premiumCents });
  else place.premiumCents += premiumCents;
}

/**
 * Divides an amount by weights, to the cent; the last nonzero weight takes the residual. If all weights are zero, the
 * first takes everything.
 */
export function inProportion(cents: Cents, weights: readonly Cents[]): Cents[] {
  let restCents = cents;
  let restOfWeights = sumCents(weights);
  if (restOfWeights === 0) return weights.map((_, index) => (index === 0 ? cents : 0));
  return weights.map((weight) => {
    const share = restOfWeights === 0 ? 0 : roundHalfUp(multiplyRatios(ratio(weight), ratio(restCents, restOfWeights)));
    restCents -= share;
    restOfWeights -= weight;
    return share;
  });
}
