// Which invoices a refund for a policy change comes from, and its composition: each part comes off the invoice that
// holds it, last due first. Contract 3.2, 3.4.
import type { Cents } from '../money.ts';
import { NO_PARTS, PART_NAMES, type Parts, totalOfParts } from './parts.ts';

/** An invoice with its refundable money and composition. */
export interface RefundableInvoice {
  id: string;
  heldCents: Cents;
  parts: Parts;
}

/** A refund of one invoice; its parts sum to it. */
export interface InvoiceRefund {
  invoiceId: string;
  amountCents: Cents;
  composition: Parts;
}

/**
 * Divides a refund over invoices, in the order given, each part from those that hold it. The refunds sum to `wanted`.
 * @throws RangeError when the invoices hold less
 */
export function divideRefund(wanted: Readonly<Parts>, invoices: readonly RefundableInvoice[]): InvoiceRefund[] {
  const rest = { ...wanted };
  const refunds = invoices.map(({ id, heldCents, parts }) => {
    const composition = { ...NO_PARTS };
    let roomCents = heldCents;
    for (const part of PART_NAMES) {
      const cents = Math.max(Math.min(rest[part], parts[part], roomCents), 0);
      composition[part] += cents;
      rest[part] -= cents;
      roomCents -= cents;
    }
    return { invoiceId: id, composition, roomCents };
  });
  // Amounts that earlier refunds have used up count as premium.
  let restCents = totalOfParts(rest);
  for (const refund of refunds) {
    const cents = Math.min(restCents, refund.roomCents);
    refund.composition.premiumCents += cents;
    restCents -= cents;
  }
  if (restCents > 0) throw new RangeError('The invoices of the policy hold less than the refund');
  return refunds
    .map(({ invoiceId, composition }) => ({ invoiceId, amountCents: totalOfParts(composition), composition }))
    .filter(({ amountCents }) => amountCents > 0);
}
