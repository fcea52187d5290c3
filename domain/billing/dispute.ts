// A dispute of a card payment, as the processor's events describe it: they come in any order, late and more than once.
// Contract 3.4, domain facts 2.5.

/** How a dispute stands; `inquiry` moves no money. */
export type DisputeOutcome = 'inquiry' | 'open' | 'won' | 'lost';

/** What is kept of a dispute whose money has moved. */
export interface Dispute {
  outcome: Exclude<DisputeOutcome, 'inquiry'>;
  /** The processor's own word. */
  status: string;
  /** The cardholder's reason, in the processor's word; null when unknown. */
  reason: string | null;
  /** Instants, ISO 8601. */
  openedAt: string;
  closedAt: string | null;
}

const REINSTATED = 'charge.dispute.funds_reinstated';
const WITHDRAWN = 'charge.dispute.funds_withdrawn';
const CLOSED = 'charge.dispute.closed';

/**
 * Returns how a dispute stands by one event. The processor takes the money when a dispute opens, unless it is only an
 * inquiry, and gives it back when the dispute is won or the money is reinstated.
 */
export function disputeOutcome({ type, status }: { type: string; status: string }): DisputeOutcome {
  if (type === REINSTATED || status === 'won') return 'won';
  if (status === 'lost') return 'lost';
  if (type === WITHDRAWN) return 'open';
  if (status.startsWith('warning_') || status === 'prevented') return 'inquiry';
  return type === CLOSED ? 'won' : 'open';
}

/**
 * Returns the step from one outcome to another that an event asks for, or null for an event that says nothing new. A
 * bank may still give way after it has decided for the cardholder; money that is back never leaves by a late event.
 */
export function nextOutcome(known: Dispute['outcome'], reported: DisputeOutcome): 'won' | 'lost' | null {
  if (reported === known) return null;
  if (reported === 'won') return 'won';
  return known === 'open' && reported === 'lost' ? 'lost' : null;
}
