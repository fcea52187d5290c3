// The part of a shared-out invoice that goes back next, whatever went back before and in any order. Contract 3.4
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

/** What has gone back from the shares of an invoice, and the part of it that policy changes composed. */
export interface ReturnedShares {
  returned: InvoiceSplit;
  composed: InvoiceSplit;
}

/** Nothing has gone back. */
export const NOTHING_RETURNED: ReturnedShares = { returned: NO_SPLIT, composed: NO_SPLIT };

/** Adds a part that has gone back. */
export function withReturn({ returned, composed }: ReturnedShares, part: InvoiceSplit, isComposed: boolean) {
  return { returned: splitSum(returned, part), composed: isComposed ? splitSum(composed, part) : composed };
}

/**
 * Returns the part of `split` that is given back when `cents` go back after `returned`, in proportion; the parts sum to
 * `cents`. `composed` is what policy changes took from particular parties, a part of `returned`: it is no debt of the
 * others, so of what it leaves each party reaches its share of everything returned in proportion so far, never below
 * zero and never beyond what it has. Where cent rounding or a won chargeback would break that, the last party that can
 * makes up for it.
 * @throws RangeError when more goes back than was shared out
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
