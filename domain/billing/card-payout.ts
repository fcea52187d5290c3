// What the card processor pays out: whose money it is, and what of it was kept as fees. Contract 3.4, decision 0134.
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
  /** Negative where the processor gave money back. */
  amountCents: Cents;
  /** What the processor kept of it. */
  feeCents: Cents;
  /** The charge, refund, dispute or payout that moved it. */
  sourceId: string | null;
  intentId: string | null;
  /** The organization that its metadata names. */
  orgId: string | null;
  /** The earlier payout that came back, for a movement that says so. */
  failedPayoutId: string | null;
  /** ISO 8601. */
  occurredAt: string;
}

/** Trust money is in dollars: a payout in another currency is never posted. */
export const PAYOUT_CURRENCY = 'usd';

/** A payout as the processor has it. */
export interface ProcessorPayout {
  payoutId: string;
  status: string;
  /** Of the payout, or of a movement that is in another one. */
  currency: string;
  /** What arrives in the bank account; negative where the processor collects. */
  amountCents: Cents;
  arrivesOn: BusinessDate;
  /** The bank's own reference of the transfer, where the processor knows it. */
  trace: string | null;
  /** Empty for a payout that a person made at the processor: it says of such a one not what it settles. */
  movements: PayoutMovement[];
}

/** A movement with its owner: null where it names nobody, `foreign` where it is of nobody here. */
export interface OwnedMovement extends PayoutMovement {
  owner: string | null | typeof FOREIGN;
}

/** The account at the processor may serve others too. */
export const FOREIGN = 'foreign';

/** What the processor books for itself: none of it was collected or given back for anybody. */
const FEE_TYPES = ['stripe_fee', 'stripe_fx_fee', 'tax_fee', 'network_cost'];

/** A fee for the account comes as a movement of its own, which takes its amount: it is kept like that of a charge. */
export function withFeesApart<T extends { type: string; amountCents: Cents; feeCents: Cents }>(movement: T): T {
  const { type, amountCents, feeCents } = movement;
  return FEE_TYPES.includes(type) ? { ...movement, amountCents: 0, feeCents: feeCents - amountCents } : movement;
}

/** What an organization has of a payout. */
export interface PayoutShare {
  movements: PayoutMovement[];
  /** Collected less given back. */
  grossCents: Cents;
  feeCents: Cents;
  /** What arrives in the bank account. */
  netCents: Cents;
}

/** Whether all of a payout is one organization's: the whole of another payout shows what others have taken. */
export function isWhollyOwn({ netCents, payoutCents }: { netCents: Cents; payoutCents: Cents }): boolean {
  return netCents === payoutCents;
}

/**
 * Shares out a payout among the organizations whose movements it settles. What names nobody, such as a fee for the
 * account, belongs to the only owner of the rest; where there are several it is left out.
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

/** The movements that name nobody and are left out. */
export function nobodysMovements(movements: readonly OwnedMovement[]): OwnedMovement[] {
  return onlyOwner(movements) === undefined ? movements.filter(({ owner }) => owner === null) : [];
}

function onlyOwner(movements: readonly OwnedMovement[]): string | undefined {
  const owners = new Set(movements.flatMap(({ owner }) => owner ?? []));
  const [only] = owners.size === 1 ? owners : [];
  return only;
}

/** Whether the movements of a payout come to what it pays: the processor may still be writing them down. */
export function isWhole({ amountCents, movements }: ProcessorPayout): boolean {
  const { netCents } = shareOf(movements);
  return movements.length === 0 || netCents === amountCents;
}

function shareOf(movements: PayoutMovement[]): PayoutShare {
  const grossCents = sumCents(movements.map(({ amountCents }) => amountCents));
  const feeCents = sumCents(movements.map((movement) => movement.feeCents));
  return { movements, grossCents, feeCents, netCents: grossCents - feeCents };
}
