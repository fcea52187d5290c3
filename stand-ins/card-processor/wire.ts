// The wire objects that this processor supports. Their fields are those of the SDK's own types.
import type Stripe from 'stripe';

export type Metadata = Record<string, string>;

type IntentField =
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_capturable'
  | 'amount_received'
  | 'canceled_at'
  | 'cancellation_reason'
  | 'capture_method'
  | 'client_secret'
  | 'confirmation_method'
  | 'created'
  | 'currency'
  | 'description'
  | 'livemode'
  | 'payment_method_types'
  | 'receipt_email'
  | 'status';

export interface Intent extends Pick<Stripe.PaymentIntent, IntentField> {
  metadata: Metadata;
  customer: string | null;
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
  | 'description'
  | 'disputed'
  | 'failure_code'
  | 'failure_message'
  | 'livemode'
  | 'paid'
  | 'receipt_email'
  | 'refunded'
  | 'status';

export interface Charge extends Pick<Stripe.Charge, ChargeField> {
  metadata: Metadata;
  /** Null if it failed. */
  balance_transaction: string | null;
  billing_details: { address: null; email: string | null; name: null; phone: null };
  customer: string | null;
  outcome: {
    network_status: string;
    reason: string | null;
    risk_level: 'normal';
    seller_message: string;
    type: string;
  };
  payment_intent: string;
  payment_method: string;
  payment_method_details: { card: CardDetails; type: 'card' };
}

export interface CardDetails {
  brand: string;
  country: 'US';
  exp_month: number;
  exp_year: number;
  funding: 'credit';
  last4: string;
}

export interface Refund
  extends Pick<
    Stripe.Refund,
    'id' | 'object' | 'amount' | 'created' | 'currency' | 'reason' | 'receipt_number' | 'status'
  > {
  metadata: Metadata;
  balance_transaction: string | null;
  /** Only if it failed. */
  failure_balance_transaction?: string;
  failure_reason?: string;
  charge: string;
  payment_intent: string;
}

export interface Dispute
  extends Pick<Stripe.Dispute, 'id' | 'object' | 'amount' | 'created' | 'currency' | 'livemode' | 'reason' | 'status'> {
  metadata: Metadata;
  charge: string;
  payment_intent: string;
}

type CustomerField =
  | 'id'
  | 'object'
  | 'balance'
  | 'created'
  | 'currency'
  | 'delinquent'
  | 'description'
  | 'email'
  | 'livemode'
  | 'name'
  | 'phone';

export interface Customer extends Pick<Stripe.Customer, CustomerField> {
  metadata: Metadata;
}

type SetupField =
  | 'id'
  | 'object'
  | 'cancellation_reason'
  | 'client_secret'
  | 'created'
  | 'description'
  | 'livemode'
  | 'payment_method_types'
  | 'status'
  | 'usage';

/** A card being stored for later. */
export interface SetupIntent extends Pick<Stripe.SetupIntent, SetupField> {
  metadata: Metadata;
  customer: string | null;
  last_setup_error: CardError | null;
  next_action: { type: 'use_stripe_sdk' } | null;
  payment_method: string | null;
}

/** A card stored for a customer. */
export interface PaymentMethod extends Pick<Stripe.PaymentMethod, 'id' | 'object' | 'created' | 'livemode' | 'type'> {
  metadata: Metadata;
  card: CardDetails;
  customer: string | null;
  /** The test card that it behaves like; not a field of the real object. */
  behaves_as: string;
}

type MovementField =
  | 'id'
  | 'object'
  | 'amount'
  | 'available_on'
  | 'created'
  | 'currency'
  | 'description'
  | 'exchange_rate'
  | 'fee'
  | 'fee_details'
  | 'net'
  | 'reporting_category'
  | 'status'
  | 'type';

export interface BalanceTransaction extends Pick<Stripe.BalanceTransaction, MovementField> {
  source: string | null;
  /** The payout that settled it; not a field of the real object, though the real list can be filtered by it. */
  payout: string | null;
}

type PayoutField =
  | 'id'
  | 'object'
  | 'amount'
  | 'arrival_date'
  | 'automatic'
  | 'created'
  | 'currency'
  | 'description'
  | 'livemode'
  | 'method'
  | 'status'
  | 'type';

export interface Payout extends Pick<Stripe.Payout, PayoutField> {
  metadata: Metadata;
  balance_transaction: string;
}

/** Why a card was not charged. */
export interface CardError {
  type: 'card_error';
  code: string;
  decline_code?: string;
  message: string;
  charge?: string;
}

/** The objects that this processor stores. The `parent` of a charge, refund or dispute is its intent. */
export type StoredObject =
  | Intent
  | Charge
  | Refund
  | Dispute
  | Customer
  | SetupIntent
  | PaymentMethod
  | BalanceTransaction
  | Payout
  | WireEvent;

export interface WireEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  livemode: false;
  pending_webhooks: number;
  request: null;
  type: string;
  data: { object: Exclude<StoredObject, WireEvent>; previous_attributes?: Record<string, unknown> };
}

/** An answer of the API: status and JSON body. */
export interface Answer {
  status: number;
  body: unknown;
}
