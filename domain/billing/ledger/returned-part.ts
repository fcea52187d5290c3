// The next part of an allocated invoice to be returned, whatever was returned before and in any order. Contract 3.4
// "Ledgers".
import { type Cents, sumCents } from '../../money.ts';
import { type InvoiceSplit, proportionOf, splitDifference, splitSum, splitTotal } from './invoice-split.ts';

const PARTS = ['carrierCents', 'agentCents', 'mgaCents', 'taxCents', 'stampingCents', 'feeCents'] as const;

/** An empty split. */
export const NO_SPLIT: InvoiceSplit = {
  carrierCents: 0,
  agentCents: 0,
  mgaCents: 0,
  taxCents: 0,
  stampingCents: 0,
  feeCents: 0,
};

/** What was returned of an invoice's allocated money, and the part that policy changes composed. */
export interface ReturnedShares {
  returned: InvoiceSplit;
  composed: InvoiceSplit;
}

/** Nothing returned yet. */
export const NOTHING_RETURNED: ReturnedShares = { returned: NO_SPLIT, composed: NO_SPLIT };

/** Adds a returned part. */
export function withReturn({ returned, composed }: ReturnedShares, part: InvoiceSplit, isComposed: boolean) {
  return { returned: splitSum(returned, part), composed: isComposed ? splitSum(composed, part) : composed };
}

/**
 * Returns the pro rata part of `split` that is refunded when `cents` are returned after `returned`; the parts sum to
 * `cents`. `composed`, a part of `returned`, is what policy changes took from particular parties. It is no debt of the
 * others, so each party gives its share, in what that leaves, of everything returned pro rata so far, never below zero
 * and never beyond what it has. If cent rounding or a won chargeback would break that, the last party able to makes up
 * for it.
 * @throws RangeError if more is returned than was allocated
 */
export function nextReturn(split: InvoiceSplit, { returned, composed }: ReturnedShares, cents: Cents): InvoiceSplit {
  const returnedCents = splitTotal(returned);
  if (returnedCents + cents > splitTotal(split)) throw new RangeError('More goes back than was shared out');
  const target = splitSum(
    composed,
    proportionOf(splitDifference(split, composed), returnedCents - splitTotal(composed) + cents),
  );
  const part = { ...NO_SPLIT };
  for (const name of PARTS) {
    part[name] = Math.min(Math.max(target[name] - returned[name], 0), split[name] - returned[name]);
  }
  let rest = cents - sumCents(PARTS.map((name) => part[name]));
  for (const name of PARTS.toReversed()) {
    const room = rest > 0 ? Math.min(rest, split[name] - returned[name] - part[name]) : Math.max(rest, -part[name]);
    part[name] += room;
    rest -= room;
  }
  return part;
}
