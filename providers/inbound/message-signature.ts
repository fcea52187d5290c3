// The scheme of the e-mail provider: id, time and signature in three headers, HMAC-SHA256 in base64 over
// `<id>.<time>.<body>` keyed with the bytes that the secret encodes. Spec 6.6. Pure.
import { createHmac } from 'node:crypto';
import { isSameSecret } from '../constant-time.ts';
import { unusable } from './event-fields.ts';
import { badSignature, ensureFresh } from './freshness.ts';

export interface SignedMessage {
  body: Buffer;
  id: string | undefined;
  /** Seconds since 1970. */
  timestamp: string | undefined;
  /** One or more `v1,<base64>` separated by spaces; other versions are ignored. */
  signature: string | undefined;
  /** `whsec_` and base64. Any of these may have signed it. If empty, nothing is accepted. */
  secrets: readonly string[];
  nowMs: number;
  /** The header of the id or the time, for the refusal. */
  named: (part: 'id' | 'timestamp') => string;
}

const PREFIX = /^whsec_/;
const SECONDS = /^(0|[1-9]\d{0,11})$/;
/** It becomes part of a workflow's id. */
const MESSAGE_ID = /^[\w.-]{1,255}$/;
const SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/;
const SIGNATURES_AT_MOST = 8;

/**
 * Verifies a message and returns its id, which is the same in every redelivery.
 * @throws DomainError unauthenticated for a signature that is missing or wrong, validation_failed for a signed message
 * that is stale or whose id cannot be used
 */
export function verifyMessage({ body, id, timestamp, signature, secrets, nowMs, named }: SignedMessage): string {
  if (id === undefined || timestamp === undefined || !SECONDS.test(timestamp)) throw badSignature();
  const listed = (signature ?? '').split(' ');
  if (listed.length > SIGNATURES_AT_MOST) throw badSignature();
  const expected = keysOf(secrets).map((key) => signatureOf(key, `${id}.${timestamp}.`, body));
  const given = listed.flatMap((each) => SIGNATURE.exec(each)?.[1] ?? []);
  // All are compared, so that the timing does not reveal which one matched.
  if (!given.map((each) => isSameSecret(each, ...expected)).includes(true)) throw badSignature();
  ensureFresh(Number(timestamp), nowMs, named('timestamp'));
  if (!MESSAGE_ID.test(id)) throw unusable(named('id'));
  return id;
}

function signatureOf(key: Buffer, head: string, body: Buffer): string {
  return createHmac('sha256', key).update(head).update(body).digest('base64');
}

/** A secret that decodes to nothing is ignored: anyone could sign with an empty key. */
function keysOf(secrets: readonly string[]): Buffer[] {
  return secrets.map((secret) => Buffer.from(secret.replace(PREFIX, ''), 'base64')).filter((key) => key.length > 0);
}
