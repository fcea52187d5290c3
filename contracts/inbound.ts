// Events of providers that have been verified: the input and the outcome of their workflow.
import type { CardEvent } from '../domain/billing/card-events.ts';

/** The result of an inbound event: the same however often it is handled. */
export interface InboundOutcome {
  /** `known`: something else had brought about all that the event says. */
  outcome: 'recorded' | 'unapplied' | 'unmatched' | 'alerted' | 'known';
  orgId: string | null;
  paymentId: string | null;
}

/** One verified event of the card processor. */
export interface InboundEventInput {
  provider: 'card-processor';
  event: CardEvent;
}

export type InboundEventResult = InboundOutcome;

/** One verified event of the card processor about a payout: what it pays out is read from the processor. */
export interface CardPayoutInput {
  payoutId: string;
}

/** What a payout has come to in an organization. `known`: it was there before. */
export interface CardPayoutOutcome {
  orgId: string;
  cardPayoutId: string;
  outcome: 'recorded' | 'failed' | 'known';
}

/** One verified event of the identity verifier that says that somebody has finished. Spec 6.5. */
export interface IdentityEvent {
  eventId: string;
  type: string;
  inquiryId: string;
  /** The producer it names; null for a reference that is missing or no producer's. */
  producerId: string | null;
  /** ISO 8601. */
  completedAt: string | null;
}

export interface IdentityEventInput {
  provider: 'identity-verifier';
  event: IdentityEvent;
}

/** What an event of the identity verifier has brought about. */
export type IdentityOutcome = 'activated' | 'recorded' | 'unmatched' | 'known' | 'ignored';

/** One verified event of the email provider, as it is queued. Spec 6.6. */
export interface EmailEvent {
  messageId: string;
  type: string;
  /** ISO 8601; when the event happened. */
  createdAt: string | null;
  data: { to: string[]; subject: string | null };
  /** The provider's id of the e-mail that it is about; null for events that are about none. */
  emailId: string | null;
  /** Whether the e-mail came back for good: a mailbox that is only full may be tried again. */
  isPermanentBounce: boolean;
}

/** What an event of the email provider has brought about. */
export type EmailOutcome = 'recorded' | 'suppressed' | 'noted';

/** One verified event of the e-signature provider. Spec 6.7. */
export interface SigningEvent {
  eventId: string;
  /** As the provider names it. */
  type: string;
  /**
   * By which the provider knows the envelope; several where it has more than one name for it, none in an event that is
   * about none.
   */
  externalIds: string[];
  /** Our own id of the envelope, where the provider gives it back. */
  envelopeId: string | null;
  /** ISO 8601. */
  happenedAt: string;
}

export interface SigningEventInput {
  provider: 'e-signature';
  event: SigningEvent;
}

/** What an event of the e-signature provider has brought about. */
export type SigningOutcome = 'changed' | 'ignored' | 'unmatched' | 'known';
