// Card processor events as they cross the wire, signed by the SDK's own signer, for tests that deliver events
// themselves.
import { randomBytes } from 'node:crypto';
import Stripe from 'stripe';
import type { TestClient, TestResponse } from './client.ts';
import { CARD_PROCESSOR_VARIABLES } from './servers/providers.ts';

const MS = 1_000;

/** An event as the processor writes it. */
export interface WireEvent {
  id: string;
  type: string;
  [field: string]: unknown;
}

/** What goes into a payment intent's event; anything left out defaults to a test payment in dollars. */
export interface IntentFacts {
  intentId: string;
  amountCents: number;
  orgId?: string;
  invoiceId?: string;
  eventId?: string;
  currency?: string;
  livemode?: boolean;
}

export interface Envelope {
  body: string;
  headers: Record<string, string>;
}

/** A new id in the processor's format. */
export function processorId(prefix: 'evt' | 'pi' | 'ch' | 'dp'): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

/** `payment_intent.succeeded`. */
export function succeeded(facts: IntentFacts): WireEvent {
  const { amountCents } = facts;
  return intentEvent('payment_intent.succeeded', facts, { amount_received: amountCents, status: 'succeeded' });
}

/** `payment_intent.payment_failed`: the card was declined for insufficient funds. */
export function declined(facts: IntentFacts): WireEvent {
  return intentEvent('payment_intent.payment_failed', facts, {
    amount_received: 0,
    status: 'requires_payment_method',
    last_payment_error: {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
    },
  });
}

/** `charge.refunded`; the amount is the total refunded so far. */
export function refunded(facts: IntentFacts & { chargeCents: number }): WireEvent {
  const { intentId, amountCents, chargeCents } = facts;
  return eventOf('charge.refunded', facts, {
    id: `ch_${intentId.slice(3)}`,
    object: 'charge',
    amount: chargeCents,
    amount_captured: chargeCents,
    amount_refunded: amountCents,
    payment_intent: intentId,
    refunded: amountCents === chargeCents,
    status: 'succeeded',
  });
}

/** `charge.dispute.created`, or another dispute event. Its metadata is its own and names no organization or invoice. */
export function disputed(facts: IntentFacts & { status: string; disputeId?: string; what?: string }): WireEvent {
  const { intentId, amountCents, status, disputeId = processorId('dp'), what = 'created' } = facts;
  return eventOf(`charge.dispute.${what}`, facts, {
    id: disputeId,
    object: 'dispute',
    amount: amountCents,
    charge: `ch_${intentId.slice(3)}`,
    payment_intent: intentId,
    reason: 'fraudulent',
    status,
  });
}

/** How a delivery is signed. Default: now, with the tests' secret. */
export interface Signing {
  atSeconds?: number;
  secret?: string;
}

/** Signs bytes as the processor does, at a given second of Unix time. */
export function sign(
  body: string,
  { atSeconds = Math.floor(Date.now() / MS), secret = SECRET }: Signing = {},
): Envelope {
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: atSeconds });
  return { body, headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature } };
}

/** Delivers events to the platform through a client without a credential. */
export function deliveryTo(client: TestClient) {
  return (event: WireEvent, { path = PATH, ...how }: Signing & { path?: string } = {}): Promise<TestResponse> => {
    const { body, headers } = sign(JSON.stringify(event), how);
    return client.send('POST', path, body, { headers });
  };
}

const PATH = '/v1/webhooks/stripe';
const SECRET = CARD_PROCESSOR_VARIABLES.CARD_PROCESSOR_WEBHOOK_SECRET;

function intentEvent(type: string, facts: IntentFacts, state: Record<string, unknown>): WireEvent {
  const { intentId, amountCents } = facts;
  return eventOf(type, facts, {
    id: intentId,
    object: 'payment_intent',
    amount: amountCents,
    latest_charge: `ch_${intentId.slice(3)}`,
    ...state,
  });
}

function eventOf(type: string, facts: IntentFacts, object: Record<string, unknown>): WireEvent {
  const { orgId, invoiceId, currency = 'usd', livemode = false, eventId = processorId('evt') } = facts;
  const created = Math.floor(Date.now() / MS);
  const metadata = { ...(orgId ? { orgId } : {}), ...(invoiceId ? { invoiceId } : {}) };
  return {
    id: eventId,
    object: 'event',
    api_version: '2026-10-28.endive',
    created,
    livemode,
    pending_webhooks: 1,
    request: null,
    type,
    data: { object: { created, currency, livemode, metadata, ...object } },
  };
}
