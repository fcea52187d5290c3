// Which parts were returned from an allocated invoice: as posted in the ledger, else as they will be posted. Contract
// 3.2.
import { fittedReturn } from '../billing/ledger/composed-return.ts';
import { type InvoiceSplit, splitTotal } from '../billing/ledger/invoice-split.ts';
import {
  NO_SPLIT,
  NOTHING_RETURNED,
  nextReturn,
  type ReturnedShares,
  withReturn,
} from '../billing/ledger/returned-part.ts';
import type { Cents } from '../money.ts';
import type { ChangeLine } from './invoice-lines.ts';
import { type Parts, partsOfLines, totalOfParts } from './parts.ts';
import type { ChangeReturn } from './unbilled.ts';

/** A return of an invoice's allocated money. */
export interface SharedReturn extends ChangeReturn {
  /** Its parts in the ledger; null before it is posted. */
  posted: Readonly<Parts> | null;
}

/**
 * Adds up returns, oldest first, by part. One for a policy change has its own composition; any other is in proportion
 * to the lines at the time of posting, which may have swapped parts since.
 */
export function returnedParts(lines: readonly ChangeLine[], returns: readonly SharedReturn[]): Parts {
  const split = splitOf(partsOfLines(lines));
  let gone = NOTHING_RETURNED;
  for (const each of returns) gone = withReturn(gone, partOf(split, gone, each), each.composition !== null);
  const { carrierCents: premiumCents, taxCents, stampingCents, feeCents } = gone.returned;
  return { premiumCents, taxCents, stampingCents, feeCents };
}

function partOf(split: InvoiceSplit, gone: ReturnedShares, { composition, posted, cents }: SharedReturn): InvoiceSplit {
  if (composition !== null) return fittedReturn(composition, cents);
  if (posted !== null && totalOfParts(posted) === cents) return splitOf(posted);
  return nextReturn(split, gone, leftOf(split, gone.returned, cents));
}

function leftOf(split: InvoiceSplit, gone: InvoiceSplit, cents: Cents): Cents {
  return Math.max(Math.min(cents, splitTotal(split) - splitTotal(gone)), 0);
}

/** All premium counts as the carrier's share. */
function splitOf({ premiumCents, taxCents, stampingCents, feeCents }: Readonly<Parts>): InvoiceSplit {
  return { ...NO_SPLIT, carrierCents: premiumCents, taxCents, stampingCents, feeCents };
}
