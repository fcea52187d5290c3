// The delivery of an event: its states, and the envelope that it carries. Spec 2.9, 6.2, Contract 3.6.

export const DELIVERY_STATUSES = ['pending', 'sending', 'delivered', 'failed', 'unknown'] as const;

/**
 * `sending` is committed before anything is sent, so that nothing is sent twice. It becomes `unknown` when its sender
 * did not live to say how it ended.
 */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** What receivers are sent and what `GET /events` lists. Spec 2.9. */
export interface EventEnvelope {
  id: string;
  type: string;
  orgId: string;
  /** ISO 8601 in UTC. */
  timestamp: string;
  data: Record<string, unknown>;
}

/** Makes the envelope of an event as it is stored. */
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

/** A delivery that its holder alone may send, with all that is needed for it. */
export interface ClaimedDelivery {
  id: string;
  webhookId: string;
  url: string;
  /** Sealed, as `providers/webhooks/secrets.ts` does. */
  secret: string;
  /** Those that were replaced and still sign, the oldest first. Sealed. */
  previousSecrets: string[];
  envelope: EventEnvelope;
}

/** How an attempt ended. */
export interface DeliveryResult {
  id: string;
  status: Extract<DeliveryStatus, 'delivered' | 'failed'>;
  latencyMs: number;
  /** Null when there was no answer. */
  statusCode: number | null;
  /** The first 2 KiB of the answer. */
  response: string | null;
  /** Null when it was delivered. */
  error: string | null;
}
