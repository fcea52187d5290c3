// The ledger entries for card processor payouts. Its fees are ours, never the trust's: operating cash deposits them
// into the trust account, along with what it owes for a clawback. Contract 3.4 "Ledgers", domain facts 4.2.
import type { Cents } from '../../money.ts';
import type { AccountNumber, Ledger } from './chart.ts';
import { type EntryType, type Posting, posting } from './posting.ts';

/** The payout arrives in the trust account, and operating cash adds what the processor kept. */
export function cardPayoutEntries({ netCents, feeCents }: { netCents: Cents; feeCents: Cents }): Posting[] {
  return [
    moved('fiduciary', 'card_payout', { to: 1010, from: 1110, cents: netCents }),
    moved('fiduciary', 'card_fees_covered', { to: 1010, from: 1110, cents: feeCents }),
    moved('general', 'card_fees', { to: 5010, from: 1030, cents: feeCents }),
  ].filter((entry) => entry !== null);
}

/** The bank rejected it: the processor has the money again. The fees it kept stay kept. */
export function failedCardPayoutEntry(netCents: Cents): Posting | null {
  return moved('fiduciary', 'card_payout_failed', { to: 1110, from: 1010, cents: netCents });
}

/** A negative amount goes the other way. */
function moved(
  ledger: Ledger,
  entryType: EntryType,
  { to, from, cents }: { to: AccountNumber; from: AccountNumber; cents: Cents },
): Posting | null {
  const [debit, credit] = cents < 0 ? [from, to] : [to, from];
  const amount = Math.abs(cents);
  return posting(ledger, entryType, { debits: [[debit, amount]], credits: [[credit, amount]] });
}
