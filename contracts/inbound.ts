// Events of providers that have been verified: the input and the outcome of their workflow.
import type { CardEvent } from '../domain/billing/card-events.ts';

/** The result of an inbound event. */
export interface InboundOutcome {
  outcome: 'recorded' | 'unapplied' | 'unmatched' | 'alerted' | 'known' | 'ignored';
  orgId: string | null;
  paymentId: string | null;
}

/** One verified event of the card processor. */
export interface InboundEventInput {
  provider: 'card-processor';
  event: CardEvent;
}

export type InboundEventResult = InboundOutcome;
