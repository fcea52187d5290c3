// The delivery of an event: its states, and its envelope. Spec 2.9, 6.2, Contract 3.6.

export const DELIVERY_STATUSES = ['pending', 'sending', 'delivered', 'failed', 'unknown'] as const;

/**
 * `sending` is committed before anything is sent, so that nothing is sent twice. It becomes `unknown` if its sender
 * died before recording the outcome.
 */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** What receivers get and what `GET /events` lists. Spec 2.9. */
export interface EventEnvelope {
  id: string;
  type: string;
  orgId: string;
  /** ISO 8601 in UTC. */
  timestamp: string;
  data: Record<string, unknown>;
}

/** Makes an event's envelope as stored. */
export function envelopeOf(event: {
  id: string;
  type: string;
  orgId: string;
  occurredAt: Date;
  data: Record<string, unknown>;
}): EventEnvelope {
  const { id, type, orgId, occurredAt, data } = event;
  return { id, type, orgId, timestamp: occurredAt.toISOString(), data };
}

/** A delivery that only its holder may send, with everything needed to send it. */
export interface ClaimedDelivery {
  id: string;
  webhookId: string;
  /** The event's position. */
  position: number;
  url: string;
  /** Sealed by `providers/webhooks/secrets.ts`. */
  secret: string;
  /** Replaced secrets that still sign, oldest first. Sealed. */
  previousSecrets: string[];
  envelope: EventEnvelope;
}

/** How an attempt ended. */
export interface DeliveryResult {
  id: string;
  status: Extract<DeliveryStatus, 'delivered' | 'failed'>;
  latencyMs: number;
  /** Null if there was no response. */
  statusCode: number | null;
  /** The first 2 KiB of the response. */
  response: string | null;
  /** Null if it was delivered. */
  error: string | null;
}
