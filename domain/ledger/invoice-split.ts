// Whose the money of an invoice is: carrier, agent, managing general agent, state, stamping office. Contract 3.4, domain facts 3.5, 4.2.
import { type CommissionTerms, premiumShares } from '../commission.ts';
import { type Cents, sumCents } from '../money.ts';
import { multiplyRatios, ratio, roundHalfUp } from '../ratio.ts';

/** A line of an invoice as far as its money is concerned; credits are negative. */
export interface BilledLine {
  kind: 'premium' | 'fee' | 'tax' | 'credit';
  code: string;
  amountCents: Cents;
}

/** What an invoice is made of, in cents. The parts sum to what is billed. */
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

/** Splits the lines of an invoice. Without a producer the agent's share stays with the carrier. Contract 3.4. */
export function splitInvoice(lines: readonly BilledLine[], terms: CommissionTerms, hasProducer: boolean): InvoiceSplit {
  const sumOf = (isPart: (line: BilledLine) => boolean) =>
    sumCents(lines.filter(isPart).map((line) => line.amountCents));
  const shares = premiumShares(sumOf(isPremium), terms, hasProducer);
  return {
    ...shares,
    taxCents: sumOf((line) => line.kind === 'tax' && line.code !== STAMPING),
    stampingCents: sumOf((line) => line.kind === 'tax' && line.code === STAMPING),
    feeCents: sumOf((line) => line.kind === 'fee'),
  };
}

/** Everything that a split shares out. */
export function splitTotal(split: InvoiceSplit): Cents {
  return sumCents(PARTS.map((part) => split[part]));
}

/** The premium of a split: what commission is taken from. */
export function splitPremium({ carrierCents, agentCents, mgaCents }: InvoiceSplit): Cents {
  return carrierCents + agentCents + mgaCents;
}

/**
 * The part of a split that a refund gives back, in proportion, after `refundedCents` of it have been given back before; the last part
 * that has anything is the residual. No part of a refund is negative, the parts of all refunds together never exceed the split, and
 * they sum to it when all is given back. Contract 3.4 "Ledgers".
 */
export function refundedPart(split: InvoiceSplit, refundedCents: Cents, refundCents: Cents): InvoiceSplit {
  const before = portion(split, refundedCents);
  const after = portion(split, refundedCents + refundCents);
  const parts = PARTS.map((part) => [part, after[part] - before[part]] as const);
  return Object.fromEntries(parts) as unknown as InvoiceSplit;
}

/**
 * Each part takes its share of what the parts before it have left, of an amount and of the split alike. Shared out so, another cent
 * goes to one part and is taken from none: with every part rounded by itself the residual would now and then give a cent back.
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

function isPremium({ kind }: BilledLine): boolean {
  return kind === 'premium' || kind === 'credit';
}
