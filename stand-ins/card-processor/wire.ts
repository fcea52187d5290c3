// The objects of the wire as far as this processor has them. Their fields are those of the SDK's own types.
import type Stripe from 'stripe';

export type Metadata = Record<string, string>;

type IntentField =
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_received'
  | 'canceled_at'
  | 'cancellation_reason'
  | 'capture_method'
  | 'client_secret'
  | 'confirmation_method'
  | 'created'
  | 'currency'
  | 'livemode'
  | 'payment_method_types'
  | 'status';

export interface Intent extends Pick<Stripe.PaymentIntent, IntentField> {
  metadata: Metadata;
  payment_method: string | null;
  latest_charge: string | null;
  last_payment_error: CardError | null;
  next_action: { type: 'use_stripe_sdk' } | null;
}

type ChargeField =
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_captured'
  | 'amount_refunded'
  | 'captured'
  | 'created'
  | 'currency'
  | 'disputed'
  | 'failure_code'
  | 'failure_message'
  | 'livemode'
  | 'paid'
  | 'refunded'
  | 'status';

export interface Charge extends Pick<Stripe.Charge, ChargeField> {
  metadata: Metadata;
  payment_intent: string;
  payment_method: string;
}

export interface Refund
  extends Pick<Stripe.Refund, 'id' | 'object' | 'amount' | 'created' | 'currency' | 'reason' | 'status'> {
  metadata: Metadata;
  charge: string;
  payment_intent: string;
}

export interface Dispute
  extends Pick<Stripe.Dispute, 'id' | 'object' | 'amount' | 'created' | 'currency' | 'livemode' | 'reason' | 'status'> {
  metadata: Metadata;
  charge: string;
  payment_intent: string;
}

/** Why a card was not charged. */
export interface CardError {
  type: 'card_error';
  code: string;
  decline_code?: string;
  message: string;
  charge?: string;
}

/** What this processor keeps. `parent` of a charge, refund or dispute is its intent. */
export type StoredObject = Intent | Charge | Refund | Dispute;

export interface WireEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  livemode: false;
  pending_webhooks: number;
  request: null;
  type: string;
  data: { object: StoredObject; previous_attributes?: Record<string, unknown> };
}

/** An answer of the API: status and JSON body. */
export interface Answer {
  status: number;
  body: unknown;
}
