// Whether the trust holds what it owes: reconciles bank, ledger and invoices. Contract 3.4, domain facts 4.4.
import type { Cents } from '../../money.ts';

/** The figures of three independent records, in cents. */
export interface TrustFigures {
  /** Trust assets by the ledger, the claims fund included: 1010 + 1020 + 1040 + 1110 + 1200. */
  assetsCents: Cents;
  /** Everything the trust owes by the ledger: the fiduciary liabilities. */
  liabilitiesCents: Cents;
  /** Cash and card clearing by the ledger: 1010 and 1110. */
  trustCashCents: Cents;
  cardClearingCents: Cents;
  /** The same from payments received and returned, and transfers to or from operating cash. */
  cashReceivedCents: Cents;
  cardReceivedCents: Cents;
  /** What the card processor has paid out, including fees paid in from operating cash: from 1110 to 1010. */
  sweptCents: Cents;
  /** Unattributed money by the ledger: 2070. */
  unappliedCents: Cents;
  /** The same from invoices not yet allocated, plus unapplied cash. */
  unsharedCents: Cents;
  /** Refunds owed by the ledger: 2060. */
  returnsPayableCents: Cents;
  /** The same from disbursements still to be issued. */
  owedByCheckCents: Cents;
  /** Returned money whose entries are not posted yet: no figure above counts it as returned. */
  outstandingCents: Cents;
}

/** A return's entries follow its settlement within moments; a delay of over a day is a discrepancy. */
const OUTSTANDING_MS = 86_400_000;

/** The instant after which a settled return may still wait for its entries. */
export function outstandingSince(nowMs: number): Date {
  return new Date(nowMs - OUTSTANDING_MS);
}

const TRUST_FINDINGS = ['assets', 'cash', 'card_clearing', 'unapplied', 'returns_payable'] as const;
export type TrustFinding = (typeof TRUST_FINDINGS)[number];

/** Names the discrepancies, to the cent; empty when the trust reconciles. */
export function trustFindings(figures: TrustFigures): TrustFinding[] {
  const agrees: Record<TrustFinding, boolean> = {
    assets: figures.assetsCents === figures.liabilitiesCents,
    cash: figures.trustCashCents === figures.cashReceivedCents,
    card_clearing: figures.cardClearingCents === figures.cardReceivedCents,
    unapplied: figures.unappliedCents === figures.unsharedCents,
    returns_payable: figures.returnsPayableCents === figures.owedByCheckCents,
  };
  return TRUST_FINDINGS.filter((finding) => !agrees[finding]);
}
