// The secrets of webhook subscriptions as they are stored: encrypted, and bound to their subscription.
import { decrypt, encrypt } from '../aes-gcm.ts';
import type { TemporalSettings } from '../temporal.ts';

type Keys = TemporalSettings['payloadKeys'];

/** Without a key, a secret is stored in plain text, like payloads. */
const UNSEALED = 'plain';

/** Seals a secret with the first key; the result names the key. */
export function sealSecret(secret: string, webhookId: string, keys: Keys): string {
  const [key] = keys;
  if (key === undefined) return `${UNSEALED}:${secret}`;
  return `${key.id}:${encrypt(Buffer.from(secret), key.key, webhookId).toString('base64')}`;
}

/** @throws Error if the key is no longer configured, or the secret belongs to another subscription */
export function openSecret(sealed: string, webhookId: string, keys: Keys): string {
  const at = sealed.lastIndexOf(':');
  const [keyId, content] = [sealed.slice(0, at), sealed.slice(at + 1)];
  const key = keys.find(({ id }) => id === keyId);
  if (key !== undefined) return decrypt(Buffer.from(content, 'base64'), key.key, webhookId).toString();
  if (keyId === UNSEALED) return content;
  throw new Error(`The secret of ${webhookId} is encrypted under the key "${keyId}", which is not given.`);
}
