// Spreads a cost reduction over the invoices, part by part: first over unpaid lines of the same part, last due first.
// Where only paid invoices hold the part, a paid invoice swaps it for another part, and that other part comes off an
// unpaid invoice: the insured owes less immediately, and no invoice has a negative part. The rest is refunded.
// Contract 3.2 "Parts tie out".
import type { Cents } from '../money.ts';
import { addParts, NO_PARTS, negativeParts, PART_NAMES, type Parts, totalOfParts } from './parts.ts';

/** What an invoice has to give back, by part. */
export interface ReturningInvoice {
  id: string;
  /** What it bills, less what was returned from it. */
  parts: Parts;
  balanceCents: Cents;
}

/** The parts that a return takes from one invoice. */
export interface TakenParts {
  id: string;
  /** Taken off its balance; in positive cents. */
  credited: Parts;
  /** How its money is reclassified from now on; sums to zero. */
  exchanged: Parts;
}

/** What a return takes from each invoice, and what could be taken from none. */
export interface PartReturn {
  taken: TakenParts[];
  rest: Parts;
}

interface Bill extends TakenParts {
  parts: Parts;
  balanceCents: Cents;
}

/** Few invoices bill taxes and the fee, so these are credited before premium. */
const CHOOSING = PART_NAMES.toReversed();

/** Takes parts (positive cents) off invoices, in the order given. No part of an invoice falls below zero. */
export function returnParts(wanted: Readonly<Parts>, invoices: readonly ReturningInvoice[]): PartReturn {
  const bills = invoices.map(({ id, parts, balanceCents }): Bill => {
    return { id, balanceCents, parts: { ...parts }, credited: { ...NO_PARTS }, exchanged: { ...NO_PARTS } };
  });
  const rest = { ...wanted };
  for (const part of PART_NAMES) for (const from of PART_NAMES) chargeWithin(rest, { part, from, holders: bills });
  for (const part of CHOOSING) {
    for (const bill of bills) rest[part] -= credit(bill, part, rest[part]);
  }
  for (const part of PART_NAMES) {
    for (const bill of bills) rest[part] -= creditOthers(bill, { part, cents: rest[part], holders: bills });
  }
  return { taken: bills.map(({ id, credited, exchanged }) => ({ id, credited, exchanged })), rest };
}

function credit(bill: Bill, part: keyof Parts, cents: Cents): Cents {
  const takenCents = Math.max(Math.min(cents, bill.parts[part], bill.balanceCents), 0);
  bill.parts[part] -= takenCents;
  bill.credited[part] += takenCents;
  bill.balanceCents -= takenCents;
  return takenCents;
}

/** Takes other parts off a bill, up to what `holders` accept in exchange for the wanted part. */
function creditOthers(
  bill: Bill,
  { part, cents, holders }: { part: keyof Parts; cents: Cents; holders: readonly Bill[] },
): Cents {
  let takenCents = 0;
  for (const other of PART_NAMES) {
    const roomCents = Math.min(cents - takenCents, bill.parts[other], bill.balanceCents);
    const exchangedCents = exchange(holders, { from: part, to: other, cents: roomCents });
    takenCents += credit(bill, other, exchangedCents);
  }
  return takenCents;
}

/** If a part grows by a cent while the total shrinks, the cent is charged in exchange for a returned part. */
function chargeWithin(
  rest: Parts,
  { part, from, holders }: { part: keyof Parts; from: keyof Parts; holders: readonly Bill[] },
): void {
  const cents = Math.min(0 - rest[part], rest[from]);
  if (cents <= 0) return;
  exchange(holders, { from, to: part, cents });
  rest[from] -= cents;
  rest[part] += cents;
}

function exchange(
  holders: readonly Bill[],
  { from, to, cents }: { from: keyof Parts; to: keyof Parts; cents: Cents },
): Cents {
  let restCents = Math.max(cents, 0);
  for (const { parts, exchanged } of holders) {
    const movedCents = Math.max(Math.min(restCents, parts[from]), 0);
    if (movedCents === 0) continue;
    const moved = addParts({ ...NO_PARTS, [to]: movedCents }, negativeParts({ ...NO_PARTS, [from]: movedCents }));
    Object.assign(parts, addParts(parts, moved));
    Object.assign(exchanged, addParts(exchanged, moved));
    restCents -= movedCents;
  }
  return Math.max(cents, 0) - restCents;
}

/** Whether the return affects an invoice. */
export function isTouched({ credited, exchanged }: TakenParts): boolean {
  return totalOfParts(credited) > 0 || PART_NAMES.some((part) => exchanged[part] !== 0);
}
