// Writing off an invoice that will never be paid: when it is allowed, and what the paid part bills. Domain facts 2.5.
import type { BusinessDate } from '../dates.ts';
import { DomainError } from '../errors.ts';
import { type Cents, sumCents } from '../money.ts';
import type { ChangeLine } from '../policy/invoice-lines.ts';
import { type Parts, partOf, totalOfParts } from '../policy/parts.ts';
import { invoiceStatus } from './invoice.ts';
import { actionsOn, type InvoiceFacts } from './invoice-actions.ts';
import { inProportion } from './ledger/premium-by-terms.ts';

/** An invoice, and what else affects its money. */
interface WriteOffFacts extends InvoiceFacts {
  /** Whether a bank is deciding about money on it. */
  disputed: boolean;
  /** Whether a refund of it waits for an approval or the card processor. */
  isReturning: boolean;
}

/**
 * Returns how much of an invoice is paid for good, in cents, if it may be written off: when it is past due, and again
 * after a later payment. Refuses while a dispute or a refund may still take money.
 * @throws DomainError invalid_state_transition
 */
export function ensureWritableOff(invoice: WriteOffFacts, today: BusinessDate): Cents {
  const status = invoiceStatus(invoice, today);
  const paidCents = invoice.paidCents - invoice.refundedBeforePaidCents;
  const isOpen = status === 'past_due' || (status === 'uncollectible' && paidCents > 0);
  const undecided = invoice.disputed ? 'disputed' : 'refund_pending';
  const from = isOpen ? undecided : status;
  if (isOpen && !invoice.disputed && !invoice.isReturning) return paidCents;
  throw new DomainError(
    'invalid_state_transition',
    `Only a past-due invoice without an undecided dispute or refund can be written off. This invoice is "${from}".`,
    { resource: 'invoice', from, action: 'write_off', allowed: actionsOn(invoice) },
  );
}

/**
 * Divides lines into those for a part of their sum and those for the rest. What was returned of the part stays with it
 * as it was returned; what else the part holds, and the rest, have the same proportions. Each of premium, tax, stamping
 * fee and policy fee is divided as a whole: line by line, rounding could leave a half that returns more premium than it
 * bills, which no ledger takes. No line is zero.
 */
export function dividedLines<T extends Pick<ChangeLine, 'kind' | 'code' | 'amountCents'>>(
  lines: readonly T[],
  partCents: Cents,
  returned: Readonly<Parts>,
): { part: T[]; rest: T[] } {
  const groups = Map.groupBy(lines, ({ kind, code }) => partOf(kind, code));
  const names = [...groups.keys()];
  const unreturned = names.map((name) => sumOf(groups.get(name) ?? []) - returned[name]);
  const shares = inProportion(partCents - totalOfParts(returned), unreturned);
  const shareOf = new Map(
    names.flatMap((name, place) => {
      const group = groups.get(name) ?? [];
      const amounts = inProportion(returned[name] + (shares[place] ?? 0), group.map(amountOf));
      return group.map((line, index) => [line, amounts[index] ?? 0] as const);
    }),
  );
  const withCents = (centsOf: (line: T) => Cents) =>
    lines.map((line) => ({ ...line, amountCents: centsOf(line) })).filter(({ amountCents }) => amountCents !== 0);
  const part = (line: T) => shareOf.get(line) ?? 0;
  return { part: withCents(part), rest: withCents((line) => sumCents([line.amountCents, -part(line)])) };
}

const amountOf = ({ amountCents }: { amountCents: Cents }) => amountCents;
const sumOf = (lines: readonly { amountCents: Cents }[]) => sumCents(lines.map(amountOf));
