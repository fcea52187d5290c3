// Who owns which share of the trust money, by hand: contract 3.4 "Ledgers", domain facts 3.5. Independent of the code.
import type { Parts } from './premium.ts';

/** What the trust holds for each owner of a part: accounts 2010, 2020, 2030, 2040, 2050 and 2090, in this order. */
export interface Held {
  carrier: number;
  agent: number;
  ours: number;
  tax: number;
  stamping: number;
  fee: number;
}

const OWNERS = ['carrier', 'agent', 'ours', 'tax', 'stamping', 'fee'] as const;

/** Shares of the premium: an agent's at the lowest tier, and ours; the carrier has the rest. Domain facts 3.5, GL. */
const AGENTS_PERCENT = 12.5;
const OUR_PERCENT = 10;

export const NOTHING_HELD: Held = { carrier: 0, agent: 0, ours: 0, tax: 0, stamping: 0, fee: 0 };

/** Who owns which share of a paid bill. Without an agent the carrier has that share too. */
export function sharedOut({ premium, ...others }: Parts, hasAgent: boolean): Held {
  const agent = hasAgent ? Math.round((premium * AGENTS_PERCENT) / 100) : 0;
  const ours = Math.round((premium * OUR_PERCENT) / 100);
  return { carrier: premium - agent - ours, agent, ours, ...others };
}

export const heldInAll = (held: Held) => OWNERS.reduce((sum, owner) => sum + held[owner], 0);

const eachOwner = (cents: (owner: keyof Held) => number) =>
  Object.fromEntries(OWNERS.map((owner) => [owner, cents(owner)])) as unknown as Held;

export const added = (one: Held, other: Held) => eachOwner((owner) => one[owner] + other[owner]);
export const without = (one: Held, other: Held) => eachOwner((owner) => one[owner] - other[owner]);

/** The owners of a part. */
export function ownersOf(part: keyof Parts, { carrier, agent, ours, ...others }: Held): Held {
  return part === 'premium' ? { ...NOTHING_HELD, carrier, agent, ours } : { ...NOTHING_HELD, [part]: others[part] };
}

/** What each owner gives up when this much goes back: pro rata, and the last account takes the remainder. */
export function inProportion(held: Held, cents: number): Held {
  const last = OWNERS.findLast((owner) => held[owner] !== 0);
  const total = heldInAll(held);
  const rounded = eachOwner((owner) => (owner === last ? 0 : Math.round((held[owner] * cents) / (total || 1))));
  return last === undefined ? NOTHING_HELD : { ...rounded, [last]: cents - heldInAll(rounded) };
}
