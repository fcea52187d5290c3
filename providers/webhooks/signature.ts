// How a delivery is signed: with the subscription's secret over the raw body, and additionally as Standard Webhooks
// prescribes, so that its published libraries can verify it too. Spec 6.2, Contract 3.6;
// https://www.standardwebhooks.com
import { createHmac } from 'node:crypto';
import type { SigningKey } from './signing-keys.ts';

/** What a delivery's headers contain. */
export interface SignedDelivery {
  /** UUID of the delivery. */
  deliveryUuid: string;
  eventId: string;
  eventType: string;
  /** The bytes sent. */
  body: Buffer;
  /** Seconds since 1970. */
  sentAt: number;
  key: SigningKey;
  /** Keys of replaced secrets that receivers may still use, oldest first. */
  previousKeys: readonly SigningKey[];
}

/** Makes the headers by which a receiver identifies and verifies a delivery. */
export function signedHeaders(delivery: SignedDelivery): Record<string, string> {
  const { deliveryUuid, eventId, eventType, body, sentAt, key, previousKeys } = delivery;
  const [oldest] = previousKeys;
  return {
    'X-Service-Signature': bodySignature(body, key),
    ...(oldest === undefined ? {} : { 'X-Service-Signature-Previous': bodySignature(body, oldest) }),
    'X-Service-Event': eventType,
    'X-Service-Delivery': deliveryUuid,
    'webhook-id': eventId,
    'webhook-timestamp': String(sentAt),
    'webhook-signature': [key, ...previousKeys]
      .flatMap((each) => standardSignatures(`${eventId}.${sentAt}.`, body, each))
      .join(' '),
  };
}

function bodySignature(body: Buffer, { text }: SigningKey): string {
  return `sha256=${createHmac('sha256', text).update(body).digest('hex')}`;
}

/**
 * A library expects its secret in base64. Ours is passed either encoded (`whsec_` + base64 of the 64 characters) or
 * as is, which happens to be valid base64 too: we sign for each, and one match is enough.
 */
function standardSignatures(prefix: string, body: Buffer, { text, decoded }: SigningKey): string[] {
  return [text, decoded].map((key) => `v1,${createHmac('sha256', key).update(prefix).update(body).digest('base64')}`);
}
