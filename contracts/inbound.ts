// Verified provider events: the input and the outcome of their workflow.
import type { CardEvent } from '../domain/billing/card-events.ts';

/** The result of an inbound event, the same however often it is handled. */
export interface InboundOutcome {
  /** `known`: everything the event reports had already been done by other means. */
  outcome: 'recorded' | 'unapplied' | 'unmatched' | 'alerted' | 'known';
  orgId: string | null;
  paymentId: string | null;
}

/** One verified event from the card processor. */
export interface InboundEventInput {
  provider: 'card-processor';
  event: CardEvent;
}

export type InboundEventResult = InboundOutcome;

/** One verified event from the card processor about a payout, whose contents are read from the processor. */
export interface CardPayoutInput {
  payoutId: string;
}

/** A payout's result in an organization. `known`: it was already recorded. */
export interface CardPayoutOutcome {
  orgId: string;
  cardPayoutId: string;
  outcome: 'recorded' | 'failed' | 'known';
}

/** One verified event from the identity verifier: a person has finished. Spec 6.5. */
export interface IdentityEvent {
  eventId: string;
  type: string;
  inquiryId: string;
  /** The producer it names; null if the reference is missing or not a producer's. */
  producerId: string | null;
  /** ISO 8601. */
  completedAt: string | null;
}

export interface IdentityEventInput {
  provider: 'identity-verifier';
  event: IdentityEvent;
}

/** The result of an event from the identity verifier. */
export type IdentityOutcome = 'activated' | 'recorded' | 'unmatched' | 'known' | 'ignored';

/** One verified event from the e-mail provider, as queued. Spec 6.6. */
export interface EmailEvent {
  messageId: string;
  type: string;
  /** ISO 8601; when the event happened. */
  createdAt: string | null;
  data: { to: string[]; subject: string | null };
  /** The provider's id of the e-mail concerned; null for events about no e-mail. */
  emailId: string | null;
  /** The e-mail's own `Message-ID`, without brackets; null if the event has none. */
  headerId: string | null;
  /** Whether the e-mail bounced permanently: a mailbox that is merely full may be retried. */
  isPermanentBounce: boolean;
}

/** The result of an event from the e-mail provider. */
export type EmailOutcome = 'recorded' | 'suppressed' | 'noted';

/** One verified event from the e-signature provider. Spec 6.7. */
export interface SigningEvent {
  eventId: string;
  /** As the provider calls it. */
  type: string;
  /** The provider's ids for the envelope: several if it uses more than one, none in an event about no envelope. */
  externalIds: string[];
  /** Our own id of the envelope, if the provider returns it. */
  envelopeId: string | null;
  /** ISO 8601. */
  happenedAt: string;
}

export interface SigningEventInput {
  provider: 'e-signature';
  event: SigningEvent;
}

/** The result of an event from the e-signature provider. */
export type SigningOutcome = 'changed' | 'ignored' | 'unmatched' | 'known';
