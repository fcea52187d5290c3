// One term of a policy in the year's model: its bills, and who holds the money paid for them. Contract 3.2 "Parts tie
// out", 3.4.
import { type Day, type Days, lessOf, type Parts, partsOf, totalOf } from './premium.ts';
import { added, type Held, heldInAll, inProportion, NOTHING_HELD, ownersOf, sharedOut, without } from './shares.ts';

export type Ending = 'pending' | 'active' | 'pending_cancellation' | 'cancelled' | 'lapsed' | 'expired' | 'renewed';

export interface Bill {
  due: Day;
  parts: Parts;
  /** Who holds the money; null before it is paid. */
  held: Held | null;
}

export interface Term extends Days {
  state: string;
  hasAgent: boolean;
  /** In the order of creation. */
  bills: Bill[];
  status: Ending;
  /** For a year of the risk as it is now. */
  annualCents: number;
  writtenCents: number;
  notices: number;
  lapsesOn: Day | null;
  noticedOn: Day | null;
  isUnwanted: boolean;
  /** Owed to the insured by check. */
  owedBack: number;
  hasGivenUp: boolean;
}

/** The state of every term at issue. */
export const NEW_TERM = {
  ...{ status: 'pending' as const, notices: 0, lapsesOn: null, noticedOn: null, isUnwanted: false },
  ...{ owedBack: 0, hasGivenUp: false },
};

/** In the order in which a return takes them: taxes and fee are on few bills. */
const PARTS = ['fee', 'stamping', 'tax', 'premium'] as const;

export const isPaid = ({ held }: Bill) => held !== null;

export const heldOf = ({ bills }: Term) =>
  bills.reduce((sum, { held }) => added(sum, held ?? NOTHING_HELD), NOTHING_HELD);

export function payFor({ hasAgent }: Term, bill: Bill): void {
  bill.held = sharedOut(bill.parts, hasAgent);
}

/** Changes the written premium: an increase is a new bill, a decrease comes off the bills or is owed back. */
export function write(term: Term, cents: number, due: Day): void {
  const before = partsOf(term.state, term.writtenCents);
  const after = partsOf(term.state, cents);
  term.writtenCents = cents;
  if (totalOf(after) > totalOf(before)) term.bills.push({ due, parts: lessOf(after, before), held: null });
  else giveBack(term, lessOf(before, after));
}

/** Each part comes off unpaid bills first, latest due first. */
function giveBack(term: Term, less: Parts): void {
  const rest = { ...less };
  const lastFirst = term.bills.toReversed();
  const [paid, unpaid] = [lastFirst.filter(isPaid), lastFirst.filter((bill) => !isPaid(bill))];
  for (const part of PARTS) for (const bill of unpaid) move(rest, bill.parts, part, bill.parts[part]);
  for (const part of PARTS)
    for (const bill of unpaid) for (const other of paid) exchange(term, { bill, other, part, rest });
  for (const part of PARTS) for (const bill of paid) takeBack(term, bill, part, rest);
}

interface Exchange {
  bill: Bill;
  other: Bill;
  part: keyof Parts;
  rest: Parts;
}

/** Taxes are paid with the first bill: its money becomes premium instead, and that much less premium is unpaid. */
function exchange(term: Term, { bill, other, part, rest }: Exchange): void {
  const cents = Math.min(rest[part], bill.parts.premium, other.parts[part]);
  if (cents === 0) return;
  move(rest, other.parts, part, cents);
  bill.parts.premium -= cents;
  other.parts.premium += cents;
  payFor(term, other);
}

function move(from: Parts, to: Parts, part: keyof Parts, most: number): void {
  const cents = Math.min(from[part], most);
  from[part] -= cents;
  to[part] -= cents;
}

/** The owners of a part of a paid bill return it, and it is owed to the insured. */
function takeBack(term: Term, bill: Bill, part: keyof Parts, rest: Parts): void {
  const held = bill.held ?? NOTHING_HELD;
  const owners = ownersOf(part, held);
  const cents = Math.min(rest[part], heldInAll(owners));
  bill.held = without(held, inProportion(owners, cents));
  rest[part] -= cents;
  term.owedBack += cents;
}

/** Part of a bill is refunded with no change to the policy: every owner gives up a share. */
export function refund(term: Term, cents: number): void {
  const [bill] = term.bills as [Bill];
  const held = bill.held ?? NOTHING_HELD;
  bill.held = without(held, inProportion(held, cents));
  term.owedBack += cents;
}
