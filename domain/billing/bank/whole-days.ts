// Whether a statement can be right: its days are past, its bookings lie within them, and its balances add up, on their
// own and with the adjacent statements. One that states its days, or adds up, has every booking of them. Decision
// 0175.
import { addDays, type BusinessDate, minDate } from '../../dates.ts';
import { type Cents, sumCents, toDollars } from '../../money.ts';
import { type ReadStatement, unreadable } from './statement.ts';

/** What we store of a statement adjacent to another one. */
export interface Neighbor {
  fromDate: BusinessDate;
  toDate: BusinessDate;
  openingCents: Cents | null;
  closingCents: Cents | null;
}

/** @throws DomainError validation_failed on `file`, which names the booking or the balances */
export function ensureSound({ from, to, openingCents, closingCents, lines }: ReadStatement, today: BusinessDate): void {
  for (const { place, bookedOn } of lines) {
    if (bookedOn > today) throw unreadable(`${place}: ${bookedOn} is in the future. Today is ${today}.`);
    if (bookedOn < from || bookedOn > to) {
      throw unreadable(`${place}: ${bookedOn} is outside the period of the statement, ${from} to ${to}.`);
    }
  }
  if (from > to) throw unreadable('The statement ends before it begins.');
  if (to > today) throw unreadable(`The statement ends on ${to}, which is in the future. Today is ${today}.`);
  if (openingCents === null || closingCents === null) return;
  const cents = openingCents + sumCents(lines.map(({ amountCents }) => amountCents));
  if (cents === closingCents) return;
  const found = `The opening balance of ${toDollars(openingCents)} and the bookings add up to ${toDollars(cents)}`;
  throw unreadable(`${found}, not the closing balance of ${toDollars(closingCents)}.`);
}

/** @throws DomainError validation_failed on `file` if a balance differs from that of the statement on the next day */
export function ensureConnected(read: ReadStatement, neighbors: readonly Neighbor[]): void {
  const given: Neighbor = { ...read, fromDate: read.from, toDate: read.to };
  for (const kept of neighbors) {
    if (addDays(kept.toDate, 1) === given.fromDate) ensureSame(kept.closingCents, given.openingCents, given.fromDate);
    if (addDays(given.toDate, 1) === kept.fromDate) ensureSame(given.closingCents, kept.openingCents, kept.fromDate);
  }
}

function ensureSame(closing: Cents | null, opening: Cents | null, day: BusinessDate): void {
  if (closing === null || opening === null || closing === opening) return;
  const found = `The statement before ${day} closes with ${toDollars(closing)}`;
  throw unreadable(`${found}, and the one that starts on ${day} opens with ${toDollars(opening)}.`);
}

/** The last day up to which a statement has every booking since its first; null if nothing shows that. */
export function wholeUntil(read: ReadStatement, today: BusinessDate): BusinessDate | null {
  const { from, to, saysDays, openingCents, closingCents } = read;
  if (!saysDays && (openingCents === null || closingCents === null)) return null;
  // A day is complete only once it is over.
  const last = minDate(to, addDays(today, -1));
  return last < from ? null : last;
}
