// Which invoices a refund for a policy change comes from, and its composition: premium, taxes, stamping, fees. What was
// credited on invoices is not refunded as well; each part comes off the invoice that holds it, last due first. Contract
// 3.2, 3.4.
import { type Cents, sumCents } from '../money.ts';

/** The composition of money on an invoice, or going back; in positive cents. */
export interface RefundParts {
  premiumCents: Cents;
  taxCents: Cents;
  stampingCents: Cents;
  feeCents: Cents;
}

/** An invoice with its refundable money and composition. */
export interface RefundableInvoice {
  id: string;
  heldCents: Cents;
  parts: RefundParts;
}

/** A refund of one invoice; its parts sum to it. */
export interface InvoiceRefund {
  invoiceId: string;
  amountCents: Cents;
  composition: RefundParts;
}

export const NO_PARTS: RefundParts = { premiumCents: 0, taxCents: 0, stampingCents: 0, feeCents: 0 };

const PARTS = ['premiumCents', 'taxCents', 'stampingCents', 'feeCents'] as const;

/** Sums parts. */
export function totalOfParts(parts: RefundParts): Cents {
  return sumCents(PARTS.map((part) => parts[part]));
}

/** Sorts lines into the parts of a refund, keeping their sign. */
export function partsOfLines(lines: readonly { kind: string; code: string; amountCents: Cents }[]): RefundParts {
  const parts = { ...NO_PARTS };
  for (const { kind, code, amountCents } of lines) parts[partOf(kind, code)] += amountCents;
  return parts;
}

/**
 * Divides a refund over invoices, in the order given. `returned` is everything the change returns (positive),
 * `takenOff` the part credited on invoices. The refunds sum to `refundCents`.
 * @throws RangeError when the invoices hold less
 */
export function divideRefund(order: {
  refundCents: Cents;
  returned: RefundParts;
  takenOff: RefundParts;
  invoices: readonly RefundableInvoice[];
}): InvoiceRefund[] {
  const wanted = wantedParts(order);
  const refunds = order.invoices.map(({ id, heldCents, parts }) => {
    const composition = { ...NO_PARTS };
    let roomCents = heldCents;
    for (const part of PARTS) {
      const cents = Math.max(Math.min(wanted[part], parts[part], roomCents), 0);
      composition[part] += cents;
      wanted[part] -= cents;
      roomCents -= cents;
    }
    return { invoiceId: id, composition, roomCents };
  });
  // What no invoice still holds as such, because more of it went back before, is taken as premium.
  let restCents = totalOfParts(wanted);
  for (const refund of refunds) {
    const cents = Math.min(restCents, refund.roomCents);
    refund.composition.premiumCents += cents;
    restCents -= cents;
  }
  if (restCents > 0) throw new RangeError('The invoices of a policy hold less than is to be refunded');
  return refunds
    .map(({ invoiceId, composition }) => ({ invoiceId, amountCents: totalOfParts(composition), composition }))
    .filter(({ amountCents }) => amountCents > 0);
}

/**
 * What is left to return of each part; where more of one was credited than the change returns, others make up for it.
 */
function wantedParts({ refundCents, returned, takenOff }: Parameters<typeof divideRefund>[0]): RefundParts {
  const wanted = { ...NO_PARTS };
  for (const part of PARTS) wanted[part] = Math.max(returned[part] - takenOff[part], 0);
  let excessCents = totalOfParts(wanted) - refundCents;
  for (const part of PARTS) {
    const cents = Math.min(Math.max(excessCents, 0), wanted[part]);
    wanted[part] -= cents;
    excessCents -= cents;
  }
  wanted.premiumCents -= Math.min(excessCents, 0);
  return wanted;
}

function partOf(kind: string, code: string): keyof RefundParts {
  if (kind === 'fee') return 'feeCents';
  if (kind !== 'tax') return 'premiumCents';
  return code === 'STAMPING_FEE' ? 'stampingCents' : 'taxCents';
}
