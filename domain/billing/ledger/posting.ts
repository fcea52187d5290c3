// One balanced entry before it is stored: its ledger, type and lines. Contract 3.4 "Ledgers".
import { type Cents, sumCents } from '../../money.ts';
import { type AccountNumber, accountOf, type Ledger } from './chart.ts';

/** One side on one account: exactly one of the two amounts is positive, the other is 0. */
export interface PostingLine {
  account: AccountNumber;
  debitCents: Cents;
  creditCents: Cents;
}

/** Unique together with the entry's source, to catch double postings. */
export type EntryType =
  | 'receipt'
  | 'split'
  | 'earnings'
  | 'reclassification'
  | 'earnings_reclassification'
  | 'sharing'
  | 'earnings_sharing'
  | 'return'
  | 'earnings_return'
  | 'payout'
  | 'payout_failed'
  | 'covered_loss'
  | 'uncovered'
  | 'loss_recovered'
  | 'transfer'
  | 'transfer_received'
  | 'clawback'
  | 'clawback_received'
  | 'commission_restored'
  | 'clawback_recovered'
  | 'remittance'
  | 'due_from_carrier'
  | 'due_from_state'
  | 'loss_fund_deposit'
  | 'loss_fund_request'
  | 'loss_fund_withdrawal'
  | 'claim_payment'
  | 'claim_recovery'
  | 'card_payout'
  | 'card_payout_failed'
  | 'card_fees'
  | 'card_fees_covered'
  | 'journal'
  | 'reversal';

export interface Posting {
  ledger: Ledger;
  entryType: EntryType;
  lines: PostingLine[];
}

/** An amount on an account; its position decides the side. */
export type Amount = readonly [account: AccountNumber, cents: Cents];

/**
 * Makes an entry from debits and credits, leaving out zero amounts; null when nothing is left.
 * @throws TypeError when it does not balance, crosses ledgers or has a negative amount, which is a programming error
 */
export function posting(
  ledger: Ledger,
  entryType: EntryType,
  { debits, credits }: { debits: readonly Amount[]; credits: readonly Amount[] },
): Posting | null {
  const lines = [
    ...debits.map(([account, cents]) => ({ account, debitCents: cents, creditCents: 0 })),
    ...credits.map(([account, cents]) => ({ account, debitCents: 0, creditCents: cents })),
  ].filter(({ debitCents, creditCents }) => debitCents !== 0 || creditCents !== 0);
  if (lines.some(({ debitCents, creditCents }) => debitCents < 0 || creditCents < 0)) {
    throw new TypeError(`A ${entryType} entry has a negative amount`);
  }
  if (lines.some(({ account }) => accountOf(account).ledger !== ledger)) {
    throw new TypeError(`A ${entryType} entry crosses the ledgers`);
  }
  if (sumCents(lines.map(({ debitCents, creditCents }) => debitCents - creditCents)) !== 0) {
    throw new TypeError(`A ${entryType} entry does not balance`);
  }
  return lines.length === 0 ? null : { ledger, entryType, lines };
}

/** Reverses an entry. Contract 3.4: a reversal is the only correction. */
export function reversalOf({ ledger, lines }: Omit<Posting, 'entryType'>): Posting {
  return {
    ledger,
    entryType: 'reversal',
    lines: lines.map(({ account, debitCents, creditCents }) => ({
      account,
      debitCents: creditCents,
      creditCents: debitCents,
    })),
  };
}
