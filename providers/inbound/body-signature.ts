// Signatures over the body alone, without a time: HMAC-SHA256 under the secret as text, in hex or base64. Pure.
import { createHmac } from 'node:crypto';
import { isSameSecret } from '../constant-time.ts';
import { badSignature } from './freshness.ts';

export interface BareSignature {
  body: Buffer;
  signature: string | undefined;
  /** Any of these may have signed it. If empty, nothing is accepted. */
  secrets: readonly string[];
}

const HEX = /^(?:sha256=)?([0-9a-f]{64})$/;
const BASE64 = /^[A-Za-z0-9+/]{43}=$/;

/**
 * Verifies a signature of 64 lowercase hex characters, with or without the prefix `sha256=`.
 * @throws DomainError unauthenticated
 */
export function verifyHexSignature({ body, signature, secrets }: BareSignature): void {
  const given = HEX.exec(signature ?? '')?.[1];
  if (given === undefined || !isSameSecret(given, ...digests(body, secrets, 'hex'))) throw badSignature();
}

/**
 * Verifies one or more signatures in base64 or hex; any one may match.
 * @throws DomainError unauthenticated
 */
export function verifyAnySignature(body: Buffer, signatures: readonly string[], secrets: readonly string[]): void {
  const inBase64 = digests(body, secrets, 'base64');
  const inHex = digests(body, secrets, 'hex');
  const matches = signatures.map((each) => {
    const hex = HEX.exec(each)?.[1];
    if (hex !== undefined) return isSameSecret(hex, ...inHex);
    return BASE64.test(each) && isSameSecret(each, ...inBase64);
  });
  if (!matches.includes(true)) throw badSignature();
}

function digests(body: Buffer, secrets: readonly string[], encoding: 'hex' | 'base64'): string[] {
  return secrets.map((secret) => createHmac('sha256', secret).update(body).digest(encoding));
}
