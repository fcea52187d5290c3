// The ledger entries for money, on the cash basis: receipt, split at full payment, refund, transfer, clawback. Contract
// 3.4 "Ledgers".
import type { Cents } from '../../money.ts';
import { KEPT_REFUND } from '../payment.ts';
import type { AccountNumber } from './chart.ts';
import { type InvoiceSplit, splitTotal } from './invoice-split.ts';
import { type Amount, type Posting, posting } from './posting.ts';

/**
 * Where a method's money is: card money with the processor until payout, all other in the trust account. A kept refund
 * was owed back.
 */
function cashAccount(method: string): AccountNumber {
  if (method === KEPT_REFUND) return 2060;
  return method === 'card' ? 1110 : 1010;
}

/** Money comes in, not yet attributed. */
export function receiptEntry(method: string, cents: Cents): Posting | null {
  return posting('fiduciary', 'receipt', { debits: [[cashAccount(method), cents]], credits: [[2070, cents]] });
}

/** A fully paid invoice: the money is allocated to its owners. */
export function splitEntry(split: InvoiceSplit): Posting | null {
  return posting('fiduciary', 'split', { debits: [[2070, splitTotal(split)]], credits: trustAccounts(split) });
}

/** A fully paid invoice: commission and fees are earned, but still in the trust. */
export function earningsEntry({ mgaCents, feeCents }: InvoiceSplit): Posting | null {
  const credits: Amount[] = [
    [4010, mgaCents],
    [4020, feeCents],
  ];
  return posting('general', 'earnings', { debits: [[1120, mgaCents + feeCents]], credits });
}

/** Money already allocated changes owners: what the parts of `moved` (summing to zero) gain and lose. */
export function sharesReclassification(moved: InvoiceSplit): Posting | null {
  return posting('fiduciary', 'reclassification', bothSides(trustAccounts(moved)));
}

/** Commission and fees earned follow a reclassification. */
export function earningsReclassification({ mgaCents, feeCents }: InvoiceSplit): Posting | null {
  return posting('general', 'earnings_reclassification', earningsSides({ mgaCents, feeCents }));
}

/** An invoice allocated before is reallocated: what its parts gain or lose comes from 2070, or goes there. */
export function sharingEntry(moved: InvoiceSplit): Posting | null {
  return posting('fiduciary', 'sharing', bothSides([...trustAccounts(moved), [2070, 0 - splitTotal(moved)]]));
}

/** Commission and fees earned follow a reallocation. */
export function earningsSharing({ mgaCents, feeCents }: InvoiceSplit): Posting | null {
  return posting('general', 'earnings_sharing', earningsSides({ mgaCents, feeCents }));
}

/** Returned money is taken from its owners; `unsplitCents` had not been allocated yet. */
export function returnEntry(part: InvoiceSplit, unsplitCents: Cents): Posting | null {
  const debits: Amount[] = [...trustAccounts(part), [2070, unsplitCents]];
  return posting('fiduciary', 'return', { debits, credits: [[2060, splitTotal(part) + unsplitCents]] });
}

/** Reverses commission and fees earned on returned money. */
export function earningsReturnEntry({ mgaCents, feeCents }: InvoiceSplit): Posting | null {
  const debits: Amount[] = [
    [4010, mgaCents],
    [4020, feeCents],
  ];
  return posting('general', 'earnings_return', { debits, credits: [[1120, mgaCents + feeCents]] });
}

/**
 * Refunds money, by method: the card processor pays from its own balance, every other method from the trust. Operating
 * cash owes the trust `coveredCents` of it, the part backed by no one's money in the trust.
 */
export function payoutEntry(
  amounts: readonly { method: string; cents: Cents }[],
  coveredCents: Cents = 0,
): Posting | null {
  const credits = amounts.map(({ method, cents }): Amount => [cashAccount(method), cents]);
  const total = amounts.reduce((sum, { cents }) => sum + cents, 0);
  const debits: Amount[] = [
    [2060, total - coveredCents],
    [1040, coveredCents],
  ];
  return posting('fiduciary', 'payout', { debits, credits });
}

/** The card processor could not pay: it has the money again, and the refund is owed again. */
export function failedPayoutEntry(cents: Cents): Posting | null {
  return posting('fiduciary', 'payout_failed', { debits: [[1110, cents]], credits: [[2060, cents]] });
}

/** What operating cash owes the trust is our loss. The pair of 1040 in `payoutEntry`. */
export function coveredLossEntry(coveredCents: Cents): Posting | null {
  return posting('general', 'covered_loss', { debits: [[5020, coveredCents]], credits: [[2110, coveredCents]] });
}

/** A debt no longer owed offsets what operating cash owes the trust; our loss shrinks by as much. */
export function uncoveredEntries(cents: Cents): Posting[] {
  return [
    posting('fiduciary', 'uncovered', { debits: [[2060, cents]], credits: [[1040, cents]] }),
    posting('general', 'loss_recovered', { debits: [[2110, cents]], credits: [[5020, cents]] }),
  ].filter((entry) => entry !== null);
}

/** Earned commission and fees leave the trust: one entry in each ledger, so that none crosses ledgers. */
export function transferEntries({ mgaCents, feeCents }: Pick<InvoiceSplit, 'mgaCents' | 'feeCents'>): Posting[] {
  const cents = mgaCents + feeCents;
  const debits: Amount[] = [
    [2030, mgaCents],
    [2090, feeCents],
  ];
  return [
    posting('fiduciary', 'transfer', { debits, credits: [[1010, cents]] }),
    posting('general', 'transfer_received', { debits: [[1030, cents]], credits: [[1120, cents]] }),
  ].filter((entry) => entry !== null);
}

/** An agent owes back commission that was already paid out: our own money replaces it in the trust. */
export function clawbackEntries(agentCents: Cents): Posting[] {
  return [
    posting('general', 'clawback', { debits: [[1130, agentCents]], credits: [[1030, agentCents]] }),
    posting('fiduciary', 'clawback_received', { debits: [[1010, agentCents]], credits: [[2060, agentCents]] }),
  ].filter((entry) => entry !== null);
}

function earningsSides({ mgaCents, feeCents }: Pick<InvoiceSplit, 'mgaCents' | 'feeCents'>) {
  return bothSides([
    [4010, mgaCents],
    [4020, feeCents],
    [1120, 0 - mgaCents - feeCents],
  ]);
}

/** Positive amounts are credits. */
function bothSides(amounts: readonly Amount[]): { debits: Amount[]; credits: Amount[] } {
  const debits = amounts.filter(([, cents]) => cents < 0).map(([account, cents]): Amount => [account, -cents]);
  return { debits, credits: amounts.filter(([, cents]) => cents > 0) };
}

function trustAccounts(split: InvoiceSplit): Amount[] {
  return [
    [2010, split.carrierCents],
    [2020, split.agentCents],
    [2030, split.mgaCents],
    [2040, split.taxCents],
    [2050, split.stampingCents],
    [2090, split.feeCents],
  ];
}
