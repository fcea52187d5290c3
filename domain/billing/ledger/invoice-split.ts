// Who owns an invoice's money: carrier, agent, managing general agent, state, stamping office. Contract 3.4, domain
// facts 3.5, 4.2.

import { type Cents, sumCents } from '../../money.ts';
import { multiplyRatios, ratio, roundHalfUp } from '../../ratio.ts';
import type { PremiumShares } from '../commission.ts';

/** The money side of an invoice line; credits are negative. */
export interface BilledLine {
  kind: 'premium' | 'fee' | 'tax' | 'credit';
  code: string;
  amountCents: Cents;
}

/** An invoice's composition, in cents. The parts sum to the billed amount. */
export interface InvoiceSplit {
  carrierCents: Cents;
  agentCents: Cents;
  mgaCents: Cents;
  taxCents: Cents;
  stampingCents: Cents;
  feeCents: Cents;
}

const PARTS = ['carrierCents', 'agentCents', 'mgaCents', 'taxCents', 'stampingCents', 'feeCents'] as const;
const STAMPING = 'STAMPING_FEE';

/** Splits the lines of an invoice, its premium by `shares`, which sum to it. Contract 3.4. */
export function splitInvoice(lines: readonly BilledLine[], shares: readonly PremiumShares[]): InvoiceSplit {
  const sumOf = (isPart: (line: BilledLine) => boolean) =>
    sumCents(lines.filter(isPart).map((line) => line.amountCents));
  return {
    carrierCents: sumCents(shares.map(({ carrierCents }) => carrierCents)),
    agentCents: sumCents(shares.map(({ agentCents }) => agentCents)),
    mgaCents: sumCents(shares.map(({ mgaCents }) => mgaCents)),
    taxCents: sumOf((line) => line.kind === 'tax' && line.code !== STAMPING),
    stampingCents: sumOf((line) => line.kind === 'tax' && line.code === STAMPING),
    feeCents: sumOf((line) => line.kind === 'fee'),
  };
}

/** The premium on lines; credits are negative premium. */
export function premiumOfLines(lines: readonly BilledLine[]): Cents {
  const premium = lines.filter(({ kind }) => kind === 'premium' || kind === 'credit');
  return sumCents(premium.map(({ amountCents }) => amountCents));
}

/** The sum of all shares. */
export function splitTotal(split: InvoiceSplit): Cents {
  return sumCents(PARTS.map((part) => split[part]));
}

/** The difference between two splits, part by part. */
export function splitDifference(one: InvoiceSplit, other: InvoiceSplit): InvoiceSplit {
  return Object.fromEntries(PARTS.map((part) => [part, one[part] - other[part]])) as unknown as InvoiceSplit;
}

/** Adds two splits part by part. */
export function splitSum(one: InvoiceSplit, other: InvoiceSplit): InvoiceSplit {
  return Object.fromEntries(PARTS.map((part) => [part, one[part] + other[part]])) as unknown as InvoiceSplit;
}

/** The premium in a split: the basis of commission. */
export function splitPremium({ carrierCents, agentCents, mgaCents }: InvoiceSplit): Cents {
  return carrierCents + agentCents + mgaCents;
}

/**
 * Divides an amount pro rata, each part rounded to the cent; the last nonzero part takes the residual, below zero if
 * the others round up to more than the amount. Contract 3.4 "Ledgers".
 */
export function proportionOf(split: InvoiceSplit, cents: Cents): InvoiceSplit {
  const last = PARTS.findLast((part) => split[part] !== 0);
  const totalCents = splitTotal(split);
  let restCents = cents;
  const found: Partial<InvoiceSplit> = {};
  for (const part of PARTS) {
    const share = () => (split[part] === 0 ? 0 : shareOf(split[part], cents, totalCents));
    found[part] = part === last ? restCents : share();
    restCents -= found[part];
  }
  return found as InvoiceSplit;
}

/**
 * Returns the pro rata part of a split that a refund returns after earlier refunds of `refundedCents`; the last
 * nonzero part takes the residual. No part of a refund is negative, all refunds together never exceed the split, and
 * they sum to it once everything is refunded. Contract 3.4 "Ledgers".
 */
export function refundedPart(split: InvoiceSplit, refundedCents: Cents, refundCents: Cents): InvoiceSplit {
  const before = portion(split, refundedCents);
  const after = portion(split, refundedCents + refundCents);
  const parts = PARTS.map((part) => [part, after[part] - before[part]] as const);
  return Object.fromEntries(parts) as unknown as InvoiceSplit;
}

/**
 * Each part takes its share of what earlier parts have left of both the amount and the split. That way an extra cent
 * goes to one part and is taken from none; rounding each part separately could turn the residual negative by a cent.
 */
function portion(split: InvoiceSplit, cents: Cents): InvoiceSplit {
  let restCents = cents;
  let restOfSplit = splitTotal(split);
  const found: Partial<InvoiceSplit> = {};
  for (const part of PARTS) {
    const share = restOfSplit === 0 ? 0 : shareOf(split[part], restCents, restOfSplit);
    found[part] = share;
    restCents -= share;
    restOfSplit -= split[part];
  }
  return found as InvoiceSplit;
}

function shareOf(partCents: Cents, cents: Cents, totalCents: Cents): Cents {
  return roundHalfUp(multiplyRatios(ratio(partCents), ratio(cents, totalCents)));
}

/** Whether a difference takes money from any party. */
export function isTakenFrom(moved: InvoiceSplit): boolean {
  return Object.values(moved).some((cents) => cents < 0);
}
