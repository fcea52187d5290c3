// From which invoices a refund is taken that a change of the policy caused, and what it is made of: premium, taxes, stamping, fees. What was
// taken off invoices is not given back as well; each part comes off the invoice that holds it, the last due first. Contract 3.2, 3.4.
import { type Cents, sumCents } from '../money.ts';

/** What money on an invoice, or going back, stands for; in positive cents. */
export interface RefundParts {
  premiumCents: Cents;
  taxCents: Cents;
  stampingCents: Cents;
  feeCents: Cents;
}

/** An invoice with the money that can still be given back, and what it stands for. */
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

/** Sorts what lines stand for into the parts of a refund, their sign kept. */
export function partsOfLines(lines: readonly { kind: string; code: string; amountCents: Cents }[]): RefundParts {
  const parts = { ...NO_PARTS };
  for (const { kind, code, amountCents } of lines) parts[partOf(kind, code)] += amountCents;
  return parts;
}

/**
 * Divides a refund over invoices, given in the order in which they give. `returned` is what the change gives back in all (positive), `takenOff`
 * what of it was taken off invoices. The refunds sum to `refundCents`.
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
  // What no invoice holds as such, because more of it went back before, is taken as premium.
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

/** What is left to give back of each part; where more of one was taken off than the change returns of it, others make up for it. */
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
