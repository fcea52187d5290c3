// Whether the trust holds what it owes: bank, ledger and invoices held against each other. Contract 3.4, domain facts 4.4.
import type { Cents } from '../money.ts';

/** What three independent records say, in cents. */
export interface TrustFigures {
  /** Trust assets by the ledger: 1010 + 1110 + 1200. */
  assetsCents: Cents;
  /** Everything the trust owes by the ledger: the fiduciary liabilities. */
  liabilitiesCents: Cents;
  /** Cash and card clearing by the ledger: 1010 and 1110. */
  trustCashCents: Cents;
  cardClearingCents: Cents;
  /** The same by the payments that came in and went back, and what was moved to or from operating cash. */
  cashReceivedCents: Cents;
  cardReceivedCents: Cents;
  /** Money that is nobody's yet, by the ledger: 2070. */
  unappliedCents: Cents;
  /** The same by the invoices that are not shared out yet, and what no invoice could take. */
  unsharedCents: Cents;
}

export const TRUST_FINDINGS = ['assets', 'cash', 'card_clearing', 'unapplied'] as const;
export type TrustFinding = (typeof TRUST_FINDINGS)[number];

/** Names what does not agree to the cent; nothing when the trust is clean. */
export function trustFindings(figures: TrustFigures): TrustFinding[] {
  const agrees: Record<TrustFinding, boolean> = {
    assets: figures.assetsCents === figures.liabilitiesCents,
    cash: figures.trustCashCents === figures.cashReceivedCents,
    card_clearing: figures.cardClearingCents === figures.cardReceivedCents,
    unapplied: figures.unappliedCents === figures.unsharedCents,
  };
  return TRUST_FINDINGS.filter((finding) => !agrees[finding]);
}

/** Assets by what they must cover; a trust that owes nothing has a ratio of 1. At least 1 at all times. */
export function trustRatio({ assetsCents, liabilitiesCents }: TrustFigures): number {
  return liabilitiesCents === 0 ? 1 : assetsCents / liabilitiesCents;
}
