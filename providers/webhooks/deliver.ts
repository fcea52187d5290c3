// Carries out one claimed delivery: opens its secrets, signs the envelope's bytes and sends them.
import type { ClaimedDelivery, DeliveryResult, EventEnvelope } from '../../domain/delivery/delivery.ts';
import { uuidOf } from '../../domain/ids.ts';
import type { TemporalSettings } from '../temporal.ts';
import type { WebhookSender } from './sender.ts';
import { signedHeaders } from './signature.ts';
import { openedKey, type SigningKey } from './signing-keys.ts';

export interface DeliveryParts {
  sender: Pick<WebhookSender, 'send'>;
  /** The keys that the secrets are sealed with. */
  payloadKeys: TemporalSettings['payloadKeys'];
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Sends a delivery once and returns the outcome. Never throws: an unreadable secret is a failed delivery. */
export async function deliver(delivery: ClaimedDelivery, parts: DeliveryParts): Promise<DeliveryResult> {
  const { id, url, envelope } = delivery;
  const body = bodyOf(envelope);
  const headers = headersOf(delivery, body, parts);
  if (headers === null) {
    return { id, status: 'failed', latencyMs: 0, statusCode: null, response: null, error: 'secret_unavailable' };
  }
  const { isAccepted, fault, ...outcome } = await parts.sender.send({ url, headers, body });
  return { id, status: isAccepted ? 'delivered' : 'failed', error: fault, ...outcome };
}

/** Subscriptions that are sent an event together share its bytes. */
const BODIES = new WeakMap<EventEnvelope, Buffer>();

function bodyOf(envelope: EventEnvelope): Buffer {
  const known = BODIES.get(envelope);
  if (known) return known;
  const body = Buffer.from(JSON.stringify(envelope));
  BODIES.set(envelope, body);
  return body;
}

function headersOf(
  { id, webhookId, secret, previousSecrets, envelope }: ClaimedDelivery,
  body: Buffer,
  { payloadKeys, now }: DeliveryParts,
): Record<string, string> | null {
  const open = (sealed: string) => keyOrNull(sealed, webhookId, payloadKeys);
  const key = open(secret);
  if (key === null) return null;
  return signedHeaders({
    ...{ deliveryUuid: uuidOf(id), eventId: envelope.id, eventType: envelope.type, body },
    sentAt: Math.floor(now() / 1_000),
    key,
    // A secret that cannot be opened signs nothing; the delivery still goes out.
    previousKeys: previousSecrets.flatMap((each) => open(each) ?? []),
  });
}

function keyOrNull(...[sealed, webhookId, keys]: Parameters<typeof openedKey>): SigningKey | null {
  try {
    return openedKey(sealed, webhookId, keys);
  } catch {
    return null;
  }
}
