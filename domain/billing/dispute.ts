// A dispute of a card payment, as the processor's events describe it. They arrive in any order, late, and repeatedly.
// Contract 3.4, domain facts 2.5.
import { DomainError } from '../errors.ts';
import { type Cents, toDollars } from '../money.ts';

/** The outcome of a dispute; `inquiry` moves no money. */
export type DisputeOutcome = 'inquiry' | 'open' | 'won' | 'lost';

/** What we store of a dispute whose money has moved. */
export interface Dispute {
  outcome: Exclude<DisputeOutcome, 'inquiry'>;
  /** The processor's own status. */
  status: string;
  /** The cardholder's reason, as the processor words it; null when unknown. */
  reason: string | null;
  /** Instants, ISO 8601. */
  openedAt: string;
  closedAt: string | null;
}

const REINSTATED = 'charge.dispute.funds_reinstated';
const WITHDRAWN = 'charge.dispute.funds_withdrawn';
const CLOSED = 'charge.dispute.closed';

/**
 * Returns a dispute's outcome according to one event. The processor takes the money when a dispute opens, unless it is
 * only an inquiry, and gives it back when the dispute is won or the money is reinstated.
 */
export function disputeOutcome({ type, status }: { type: string; status: string }): DisputeOutcome {
  if (type === REINSTATED || status === 'won') return 'won';
  if (status === 'lost') return 'lost';
  if (type === WITHDRAWN) return 'open';
  if (status.startsWith('warning_') || status === 'prevented') return 'inquiry';
  return type === CLOSED ? 'won' : 'open';
}

/**
 * Returns the step from one outcome to another that an event calls for, or null for an event with nothing new. A bank
 * may reverse a decision for the cardholder; a late event never takes back money we have recovered.
 */
export function nextOutcome(known: Dispute['outcome'], reported: DisputeOutcome): 'won' | 'lost' | null {
  if (reported === known) return null;
  if (reported === 'won') return 'won';
  return known === 'open' && reported === 'lost' ? 'lost' : null;
}

/** Money held while banks decide about the payment it came from: how much, and the disputes. */
export interface MoneyInDispute {
  cents: Cents;
  /** The processor's dispute ids; empty if nothing is in dispute. */
  disputes: readonly string[];
}

/** What a caller wants to do with money, and what is allowed instead. */
interface Spending {
  resource: 'payment' | 'refund' | 'disbursement';
  from: string;
  action: string;
  allowed: readonly string[];
}

/** Returns how much of held money may be spent. A lost dispute takes the oldest money first. */
export function undisputedCents(heldCents: Cents, { cents }: MoneyInDispute): Cents {
  return Math.max(heldCents - cents, 0);
}

/**
 * Refuses to spend what is in dispute: if the bank keeps the payment, the money is gone.
 * @throws DomainError invalid_state_transition; with `{amount, balance}` in dollars if a part may be spent
 */
export function ensureUndisputedMoney(
  spending: Spending,
  money: MoneyInDispute,
  { wantedCents, heldCents }: { wantedCents: Cents; heldCents: Cents },
): void {
  const balanceCents = undisputedCents(heldCents, money);
  if (money.disputes.length === 0 || wantedCents <= balanceCents) return;
  const amounts = { amount: toDollars(wantedCents), balance: toDollars(balanceCents) };
  throw refusedInDispute(spending, money.disputes, amounts);
}

/** Makes the refusal of an action that has to wait for a bank's decision. */
export function refusedInDispute(
  { resource, from, action, allowed }: Spending,
  disputes: readonly string[],
  amounts: { amount?: number; balance?: number } = {},
): DomainError {
  const part = amounts.balance ? ` Up to ${amounts.balance.toFixed(2)} dollars are not in dispute.` : '';
  const which = `dispute ${disputes.join(', ')} of the card payment behind it`;
  const message = `"${action}" is not allowed while ${which} is open. Wait for the bank's decision.${part}`;
  const details = { resource, from, action, allowed: [...allowed], ...amounts };
  return new DomainError('invalid_state_transition', message, details);
}
