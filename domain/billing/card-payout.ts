// Payouts by the card processor: whose money it is, and how much the processor kept as fees. Contract 3.4, decision
// 0134.
import type { BusinessDate } from '../dates.ts';
import { type Cents, sumCents } from '../money.ts';

/** The event types about payouts that we act on. */
const PAYOUT_EVENT_TYPES = ['payout.paid', 'payout.failed'] as const;

/** Whether we act on payout events of this type. */
export function isPayoutEventType(type: string): boolean {
  return (PAYOUT_EVENT_TYPES as readonly string[]).includes(type);
}

/** `failed`: the bank rejected it, and the money is back at the processor. */
export const CARD_PAYOUT_STATUSES = ['paid', 'failed'] as const;
export type CardPayoutStatus = (typeof CARD_PAYOUT_STATUSES)[number];

/** A movement of the processor's balance that a payout settles. */
export interface PayoutMovement {
  transactionId: string;
  /** As the processor names it: `charge`, `refund`, `adjustment`, … */
  type: string;
  /** Negative if the processor gave money back. */
  amountCents: Cents;
  /** The fee that the processor kept. */
  feeCents: Cents;
  /** The charge, refund, dispute or payout that moved it. */
  sourceId: string | null;
  intentId: string | null;
  /** The organization named in its metadata. */
  orgId: string | null;
  /** The earlier payout that was returned, if the movement says so. */
  failedPayoutId: string | null;
  /** ISO 8601. */
  occurredAt: string;
}

/** Trust money is in dollars: a payout in another currency is never posted. */
export const PAYOUT_CURRENCY = 'usd';

/** A payout as the processor records it. */
export interface ProcessorPayout {
  payoutId: string;
  status: string;
  /** The payout's, or that of a movement in a different currency. */
  currency: string;
  /** What arrives in the bank account; negative if the processor debits it. */
  amountCents: Cents;
  arrivesOn: BusinessDate;
  /** The bank's own reference for the transfer, if the processor knows it. */
  trace: string | null;
  /** Empty for a payout made manually at the processor, which does not report what such a payout settles. */
  movements: PayoutMovement[];
}

/** A movement with its owner: null if it names none, `foreign` if it belongs to no organization here. */
export interface OwnedMovement extends PayoutMovement {
  owner: string | null | typeof FOREIGN;
}

/** Other parties may use the same account at the processor. */
export const FOREIGN = 'foreign';

/** Movements that the processor books for itself: neither collected nor refunded for anyone. */
const FEE_TYPES = ['stripe_fee', 'stripe_fx_fee', 'tax_fee', 'network_cost'];

/** Turns an account-level fee, which comes as a movement of its own, into a fee like that of a charge. */
export function withFeesApart<T extends { type: string; amountCents: Cents; feeCents: Cents }>(movement: T): T {
  const { type, amountCents, feeCents } = movement;
  return FEE_TYPES.includes(type) ? { ...movement, amountCents: 0, feeCents: feeCents - amountCents } : movement;
}

/** An organization's share of a payout. */
export interface PayoutShare {
  movements: PayoutMovement[];
  /** Collected less refunded. */
  grossCents: Cents;
  feeCents: Cents;
  /** What arrives in the bank account. */
  netCents: Cents;
}

/** Whether an entire payout is one organization's; otherwise its total reveals what others collected. */
export function isWhollyOwn({ netCents, payoutCents }: { netCents: Cents; payoutCents: Cents }): boolean {
  return netCents === payoutCents;
}

/**
 * Splits a payout among the organizations whose movements it settles. A movement that names none, such as an account
 * fee, goes to the only owner of the rest; if there are several owners, it is left out.
 */
export function payoutShares(movements: readonly OwnedMovement[]): Map<string, PayoutShare> {
  const only = onlyOwner(movements);
  const owned = movements.map((movement) => ({ ...movement, owner: movement.owner ?? only ?? FOREIGN }));
  const byOwner = Map.groupBy(owned, ({ owner }) => owner);
  byOwner.delete(FOREIGN);
  return new Map(
    [...byOwner].map(([owner, own]) => [owner, shareOf(own.map(({ owner: _, ...movement }) => movement))]),
  );
}

/** The movements that name no owner and are left out. */
export function nobodysMovements(movements: readonly OwnedMovement[]): OwnedMovement[] {
  return onlyOwner(movements) === undefined ? movements.filter(({ owner }) => owner === null) : [];
}

function onlyOwner(movements: readonly OwnedMovement[]): string | undefined {
  const owners = new Set(movements.flatMap(({ owner }) => owner ?? []));
  const [only] = owners.size === 1 ? owners : [];
  return only;
}

/** Whether a payout's movements add up to its amount: the processor may still be recording them. */
export function isWhole({ amountCents, movements }: ProcessorPayout): boolean {
  const { netCents } = shareOf(movements);
  return movements.length === 0 || netCents === amountCents;
}

function shareOf(movements: PayoutMovement[]): PayoutShare {
  const grossCents = sumCents(movements.map(({ amountCents }) => amountCents));
  const feeCents = sumCents(movements.map((movement) => movement.feeCents));
  return { movements, grossCents, feeCents, netCents: grossCents - feeCents };
}
