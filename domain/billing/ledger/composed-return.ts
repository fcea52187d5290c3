// The part of an allocated invoice that a refund takes if its composition is known: return premium from carrier, agent
// and managing general agent, taxes from the state, and no retained fee. Contract 3.4, domain facts 4.2 "Cancel".
import type { Cents } from '../../money.ts';
import { type InvoiceSplit, refundedPart, splitPremium, splitSum, splitTotal } from './invoice-split.ts';
import { NO_SPLIT, nextReturn, type ReturnedShares, withReturn } from './returned-part.ts';

/** A refund's composition, in positive cents. */
export interface ReturnComposition {
  premiumCents: Cents;
  taxCents: Cents;
  stampingCents: Cents;
  feeCents: Cents;
}

const OWN_PARTS = ['taxCents', 'stampingCents', 'feeCents'] as const;

/**
 * Returns the part of `split` that is refunded when `cents` are returned after `before`; the parts sum to `cents`.
 * Premium comes pro rata from those who share it; no party gives more than it has, and any shortfall comes from all
 * pro rata. A refund that turned out smaller keeps its proportions.
 * @throws RangeError if more is returned than was allocated
 */
export function composedReturn(
  split: InvoiceSplit,
  before: ReturnedShares,
  { composition, cents }: { composition: ReturnComposition; cents: Cents },
): InvoiceSplit {
  const wanted = fittedReturn(composition, cents);
  const premium = premiumOf(split);
  const premiumBefore = { returned: premiumOf(before.returned), composed: premiumOf(before.composed) };
  const leftCents = splitPremium(premium) - splitPremium(premiumBefore.returned);
  const part = nextReturn(premium, premiumBefore, Math.min(splitPremium(wanted), leftCents));
  for (const name of OWN_PARTS) part[name] = Math.min(wanted[name], split[name] - before.returned[name]);
  const rest = nextReturn(split, withReturn(before, part, true), cents - splitTotal(part));
  return splitSum(part, rest);
}

/**
 * Returns a refund's composition as a split whose premium is the carrier's; one that turned out smaller keeps its
 * proportions.
 */
export function fittedReturn(
  { premiumCents, taxCents, stampingCents, feeCents }: ReturnComposition,
  cents: Cents,
): InvoiceSplit {
  const whole: InvoiceSplit = { ...NO_SPLIT, carrierCents: premiumCents, taxCents, stampingCents, feeCents };
  return splitTotal(whole) <= cents ? whole : refundedPart(whole, 0, cents);
}

function premiumOf({ carrierCents, agentCents, mgaCents }: InvoiceSplit): InvoiceSplit {
  return { ...NO_SPLIT, carrierCents, agentCents, mgaCents };
}
