// Verifies that a delivery comes from the platform, and reads its event.
import type { WebhookEvent } from './api.generated.ts';

/** A delivery's headers, as Node or `fetch` provide them. */
export type DeliveryHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Thrown for a delivery that is not from the platform, or is too old. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

const OLDEST_SECONDS = 300;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Verifies a delivery against its raw bytes, and returns its event.
 * @param secrets the subscription's secret, or the new and the old one during a rotation
 * @throws WebhookError
 */
export async function webhookEvent(
  rawBody: string | Uint8Array,
  headers: DeliveryHeaders,
  secrets: string | readonly string[],
  { now = Date.now(), oldestSeconds = OLDEST_SECONDS }: { now?: number; oldestSeconds?: number } = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !signatures) throw new WebhookError('The delivery has no signature.');
  const ageSeconds = Math.abs(now / 1000 - Number(timestamp));
  if (!(ageSeconds <= oldestSeconds)) throw new WebhookError('The delivery was signed too long ago.');
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  for (const secret of [secrets].flat()) {
    for (const signature of signatures.split(' ')) {
      if (await isSignature(signature, signed, secret)) return JSON.parse(new TextDecoder().decode(body));
    }
  }
  throw new WebhookError('The signature of the delivery is not valid.');
}

/** Compares `v1,<base64>` with the bytes, in constant time. */
async function isSignature(signature: string, signed: Uint8Array<ArrayBuffer>, secret: string): Promise<boolean> {
  const [version, encoded = ''] = signature.split(',');
  if (version !== 'v1' || !BASE64.test(encoded)) return false;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify']);
  const proof = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  return crypto.subtle.verify('HMAC', key, proof, signed);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

function headerOf(headers: DeliveryHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const entry = Object.entries(headers).find(([given]) => given.toLowerCase() === name);
  return [entry?.[1]].flat()[0];
}
